/**
 * One turn of the engine: some of the runs that are due go on, in one transaction. What each node does and where its run stands then are
 * on disk together, or neither is.
 */
import type { ChangeAcross } from "../../../events/call-as.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Database } from "../../../storage/database.ts";
import { keepToLookUps } from "../../../storage/query-plans.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import { definitionIn, readAtOnce } from "./definitions.ts";
import type { Definitions } from "./definitions.ts";
import { moveRun } from "./move.ts";
import type { RunRotation } from "./location-rotation.ts";
import { bringForward } from "../posting/post-queue.ts";
import { lockDueRuns, identityOf, pickDue } from "./run-rows.ts";
import type { RunRow } from "./run-rows.ts";

/** What every part of the engine stands on. */
export interface EngineDeps {
  readonly database: Database;
  readonly changeAcross: ChangeAcross;
  readonly clock: Clock;
  /** The types of the nodes that definitions have. */
  readonly types: NodeTypes;
  readonly definitions: Definitions;
  readonly rotation: RunRotation;
  /** Hears of what a node threw, where that is no refusal. */
  readonly report: (error: unknown, run: { readonly id: number; readonly nodeId: string | null }) => void;
}

/** The most runs of a transaction, whose definitions are read in it, and the most steps of each. */
const mostRuns = readAtOnce;
const mostSteps = 50;
/** None begins in a transaction that has been open for so long, in milliseconds: others wait for its contacts, on SQLite for all of it. */
const longestBatchMilliseconds = 10;
/** Runs of so many contacts go on side by side: on PostgreSQL what they ask travels together. */
const concurrency = 4;

export interface MovedBatch {
  readonly picked: readonly number[];
  /** Those whose next node begins a transaction of its own. */
  readonly isolated: readonly number[];
}

/** Throws what a node threw; nothing has moved then. `picks` hears beforehand whose turn it is. */
export function moveBatch(
  { changeAcross, clock, types, definitions, rotation }: EngineDeps,
  picks: (ids: readonly number[]) => void,
): Promise<MovedBatch> {
  return changeAcross(async (as, transaction) => {
    keepToLookUps(transaction);
    const begun = performance.now();
    const longestDue = await pickDue(transaction, clock.now(), mostRuns);
    // Where there is more than a turn takes, one location with much keeps no other waiting.
    const fromRotation = longestDue.length < mostRuns ? [] : await rotation.next(transaction, clock.now());
    const picked = [...new Set([...fromRotation, ...longestDue])].slice(0, mostRuns);
    picks(picked);
    const held = picked.length === 0 ? [] : await lockDueRuns(transaction, picked);
    const places = new Map(picked.map((id, place) => [id, place]));
    const runs = held.toSorted((one, other) => places.get(one.id)! - places.get(other.id)!);
    const byVersion = await definitions.of(
      transaction,
      runs.map((run) => run.version_id),
    );
    const isolated: number[] = [];
    const posting: RunRow[] = [];
    const waiting = [...Map.groupBy(runs, (run) => run.contact_id).values()];
    let hasBegun = false;
    await runConcurrently(concurrency, async () => {
      // The first goes on in any case: on a machine that is slower than that the others would never.
      const ofContact = hasBegun && performance.now() - begun > longestBatchMilliseconds ? undefined : waiting.shift();
      hasBegun = true;
      for (const run of ofContact ?? []) {
        const moved = await moveRun(as(identityOf(run)), run, definitionIn(byVersion, run.version_id), {
          types,
          mostSteps,
        });
        if (moved === "isolated") isolated.push(run.id);
        if (moved === "post") posting.push(run);
      }
      return ofContact !== undefined;
    });
    bringForward(transaction, posting, clock.now());
    return { picked, isolated };
  });
}

/** Calls `work` in several concurrency for as long as it says that there was some. Throws what failed first, when no lane is at work any more. */
async function runConcurrently(count: number, work: () => Promise<boolean>): Promise<void> {
  let hasFailed = false;
  const ends = await Promise.allSettled(
    Array.from({ length: count }, async () => {
      try {
        while (!hasFailed && (await work()));
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }),
  );
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}
