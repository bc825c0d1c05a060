/**
 * Moves a batch of due runs in one transaction: the effect of each node and the new state of its run are committed together, or
 * neither is.
 */
import type { ChangeAcross } from "../../../events/call-as.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { yieldToEventLoop } from "../../../kit/waiting/fair-lock.ts";
import type { Database } from "../../../storage/database.ts";
import { keepToLookUps } from "../../../storage/query-plans.ts";
import { createStepLog } from "../../workflow-runs/run-steps.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import { definitionIn, readAtOnce } from "./definitions.ts";
import type { Definitions } from "./definitions.ts";
import { beginEventWaits } from "./event-waits.ts";
import { moveRun } from "./move.ts";
import type { RunRotation } from "./location-rotation.ts";
import { withUnreadEvents } from "../following/unread-events.ts";
import { bringForward } from "../posting/post-queue.ts";
import { createSharedReads } from "./shared-reads.ts";
import { findRun, lockDueRuns, identityOf, pickDue } from "./run-rows.ts";
import type { RunRow } from "./run-rows.ts";

/** The dependencies of the engine. */
export interface EngineDeps {
  readonly database: Database;
  readonly changeAcross: ChangeAcross;
  readonly clock: Clock;
  /** The types of the nodes that definitions have. */
  readonly types: NodeTypes;
  readonly definitions: Definitions;
  readonly rotation: RunRotation;
  /** Called with an error of a node that is no refusal. */
  readonly report: (error: unknown, run: { readonly id: number; readonly nodeId: string | null }) => void;
}

/** The most runs of a batch, whose definitions are read in its transaction, and the most transitions of each. */
export const mostRuns = readAtOnce;
const mostSteps = 50;

/** How much a batch does before it commits. */
export interface BatchPace {
  /** No run starts later in a batch than this: others wait for its locks. */
  readonly longestMilliseconds: number;
  /** A batch that has computed this long lets the event loop turn before its next run, for reads. */
  readonly turnMilliseconds: number;
  /** The contacts whose runs are moved concurrently, so that their statements share round trips. */
  readonly concurrency: number;
  /** The batches that are moved concurrently while more runs are due: one is computed while the database works on another. */
  readonly concurrentBatches: number;
  /** Between batches, for other work; 0 for none. */
  readonly pauseMilliseconds: number;
}

/** A database in the process has no round trips to share. Other writers wait for the whole batch, and reads for one turn of it. */
const inProcess: BatchPace = {
  longestMilliseconds: 30,
  turnMilliseconds: 10,
  concurrency: 1,
  concurrentBatches: 1,
  pauseMilliseconds: 2,
};
/** Each round trip lets the event loop turn. */
const overNetwork: BatchPace = {
  longestMilliseconds: 50,
  turnMilliseconds: Infinity,
  concurrency: 16,
  concurrentBatches: 2,
  pauseMilliseconds: 0,
};

export function paceOf({ isInProcess }: Pick<Database, "isInProcess">): BatchPace {
  return isInProcess ? inProcess : overNetwork;
}

export interface MovedBatch {
  readonly picked: readonly number[];
  /** The runs whose next node needs a transaction of its own. */
  readonly isolated: readonly number[];
}

/** Throws what a node threw, and then nothing is committed. `picks` is called first, with the runs of the batch. */
export function moveBatch(
  { database, changeAcross, clock, types, definitions, rotation }: EngineDeps,
  picks: (ids: readonly number[]) => void,
): Promise<MovedBatch> {
  const { longestMilliseconds, turnMilliseconds, concurrency } = paceOf(database);
  return changeAcross(async (as, transaction) => {
    keepToLookUps(transaction);
    const begun = performance.now();
    const longestDue = await pickDue(transaction, clock.now(), mostRuns);
    // When more runs are due than a batch takes, a location with many delays no other.
    const fromRotation = longestDue.length < mostRuns ? [] : await rotation.next(transaction, clock.now());
    const contacts = new Map([...fromRotation, ...longestDue].map(({ id, contact_id }) => [id, contact_id]));
    const picked = [...contacts.keys()].slice(0, mostRuns);
    picks(picked);
    const locked = picked.length === 0 ? [] : await lockDueRuns(transaction, picked);
    // The contact of the others was merged into one that is not locked: they stay due.
    const unmoved = locked.filter(({ id, contact_id }) => contacts.get(id) === contact_id);
    const held = unmoved.length === 0 ? [] : await withUnreadEvents(transaction, unmoved);
    const places = new Map(picked.map((id, place) => [id, place]));
    const runs = held.toSorted((one, other) => places.get(one.id)! - places.get(other.id)!);
    const byVersion = await definitions.of(
      transaction,
      runs.map((run) => run.version_id),
    );
    const log = createStepLog();
    const waits = await beginEventWaits(transaction);
    const reads = createSharedReads();
    const isolated: number[] = [];
    const posting: RunRow[] = [];
    const waiting = [...Map.groupBy(runs, (run) => run.contact_id).values()];
    let hasBegun = false;
    let turned = begun;
    await runConcurrently(concurrency, async () => {
      if (performance.now() - turned > turnMilliseconds) {
        await yieldToEventLoop();
        turned = performance.now();
      }
      // The first is moved in any case, so that a slow machine makes progress.
      const ofContact = hasBegun && performance.now() - begun > longestMilliseconds ? undefined : waiting.shift();
      hasBegun = true;
      for (const run of ofContact ?? []) {
        const isFirst = run === ofContact![0];
        // An earlier run of the contact may have stopped it.
        if (!isFirst && (await findRun(transaction, run.id)) === undefined) continue;
        const moved = await moveRun(as(identityOf(run)), run, definitionIn(byVersion, run.version_id), {
          types,
          mostSteps,
          log,
          waits,
          reads,
          // An earlier run of the contact may have changed it.
          knowsContact: isFirst,
        });
        if (moved === "isolated") isolated.push(run.id);
        if (moved === "post") posting.push(run);
      }
      return ofContact !== undefined;
    });
    bringForward(transaction, posting, clock.now());
    log.write(transaction);
    await waits.write(picked);
    return { picked, isolated };
  });
}

/** Calls `work` in `count` concurrent loops until it resolves to false. Throws the first error after all loops have ended. */
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
