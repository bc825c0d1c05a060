/**
 * A follower of the event log that wants few of its events: it looks at their heads without a transaction, and its mark moves when it takes
 * some, or now and then. So what nobody wants costs no commit.
 */
import { attemptInHalves } from "../kit/halves.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { Database, Transaction } from "../storage/database.ts";
import { untilCommit } from "../storage/locks.ts";
import { keepToIndexes } from "../storage/query-plans.ts";
import { sql } from "../storage/sql-text.ts";
import { Unavailable } from "../vocabulary/errors.ts";
import type { EventName } from "../vocabulary/events.ts";
import { takenBack } from "./taken-back.ts";

/** An event without its payload. */
export interface EventHead {
  readonly id: number;
  readonly position: number;
  readonly workspace_id: number;
  readonly location_id: number | null;
  readonly event: EventName;
  readonly contact_id: number | null;
  /** The workflow run that raised it. */
  readonly run_id: number | null;
  /** In milliseconds. */
  readonly created_at: number;
}

type Passed<Wanted> = { readonly head: EventHead } | { readonly wanted: Wanted };

interface LookAhead<Wanted> {
  readonly name: string;
  readonly clock: Clock;
  /** How many events are looked at in one go. */
  readonly atOnce?: number;
  /** What is wanted of these, in the order of their positions; an empty list where nothing is. */
  readonly choose: (heads: readonly EventHead[]) => Promise<readonly Wanted[]>;
  readonly positionOf: (wanted: Wanted) => number;
  /** How many a transaction takes at the most; what one event alone wants stays together. */
  readonly mostTaken: number;
  /** Takes them, in the transaction in which the mark moves. What it sends leaves with the COMMIT. */
  readonly take: (wanted: readonly Wanted[], transaction: Transaction) => void | Promise<void>;
  /**
   * Hears of an event that could not be looked at, or of what could not be taken, however often it was tried: it is passed over. Without
   * this it is thrown, and what comes behind waits.
   */
  readonly passedOver?: (error: unknown, passed: Passed<Wanted>) => void;
}

/** So often an event by itself is tried. A fault of the database counts as none: it is waited for. */
const tries = 3;

/** How far the mark may lag: so many events are looked at again after a restart. */
const longestLag = 5000;
/** How long it may lag, in milliseconds: payloads are kept for as long as they lie behind a mark. */
const longestWait = 3_600_000;

const markText = "select position from event_marks where name = ?";
const heldMarkText = sql`${markText}${untilCommit("event_marks")}`;
const headsText = sql`select id, position, workspace_id, location_id, event, contact_id, run_id, created_at from events
  where position > ? order by position limit ${{ sqlite: "?", postgres: "cast(? as bigint)" }}`;

const isUnavailable = (error: unknown): boolean => error instanceof Unavailable;

/** Gives a function that looks at the next of them, a thousand unless said otherwise, resolving to how many there were. The name must have a mark. */
export function lookAhead<Wanted>(
  database: Database,
  { name, clock, atOnce = 1000, choose, positionOf, mostTaken, take, passedOver }: LookAhead<Wanted>,
): () => Promise<number> {
  /** What this process has seen, and nobody wanted. */
  let seen = 0;
  let movedAt = Number.NEGATIVE_INFINITY;

  async function move(to: number, wanted: readonly Wanted[]): Promise<void> {
    await database.transaction(async (transaction) => {
      keepToIndexes(transaction);
      const [mark] = await transaction.rows<{ position: number }>(heldMarkText, [name]);
      // Another worker was here meanwhile.
      const left = wanted.filter((one) => positionOf(one) > mark!.position);
      if (left.length > 0) await take(left, transaction);
      if (to > mark!.position) transaction.send("update event_marks set position = ? where name = ?", [to, name]);
    });
    movedAt = clock.now().getTime();
  }

  /** Chooses event by event where one of them throws. */
  async function chooseApart(heads: readonly EventHead[]): Promise<Wanted[]> {
    const chosen: Wanted[] = [];
    await attemptInHalves(heads, async (part) => void chosen.push(...(await choose(part))), {
      stops: isUnavailable,
      failed: (head, error) => passedOver!(error, { head }),
      tries,
    });
    return chosen;
  }

  /** Moves on event by event where one of them throws, and past that one without what it is that throws. */
  async function moveApart(wanted: readonly Wanted[]): Promise<void> {
    const byEvent = [...Map.groupBy(wanted, positionOf)];
    await attemptInHalves(
      byEvent,
      (part) =>
        move(
          part.at(-1)![0],
          part.flatMap(([, ofEvent]) => ofEvent),
        ),
      {
        stops: isUnavailable,
        failed: async ([position, ofEvent]) => move(position, await soundOf(ofEvent)),
      },
    );
  }

  /** Those that do not throw by themselves: each is taken, and taken back. */
  async function soundOf(wanted: readonly Wanted[]): Promise<Wanted[]> {
    const sound: Wanted[] = [];
    for (const one of wanted) {
      const attempt = async (): Promise<void> => {
        await takenBack<Transaction>(
          (work) => database.transaction(work),
          async (transaction) => take([one], transaction),
        );
        sound.push(one);
      };
      await attemptInHalves([one], attempt, {
        stops: isUnavailable,
        failed: (_one, error) => passedOver!(error, { wanted: one }),
        tries,
      });
    }
    return sound;
  }

  /** What comes of `work`, or of doing it event by event where it throws and somebody wants to hear of that. */
  async function orApart<Result>(work: () => Promise<Result>, apart: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (passedOver === undefined || isUnavailable(error)) throw error;
      return apart();
    }
  }

  return async () => {
    const [mark] = await database.rows<{ position: number }>(markText, [name]);
    if (mark === undefined) throw new Error(`nobody follows the event log as ${name}`);
    const heads = await database.rows<EventHead>(headsText, [Math.max(seen, mark.position), atOnce]);
    const last = heads.at(-1)?.position;
    const hasWaited = Math.abs(clock.now().getTime() - movedAt) >= longestWait;
    if (last === undefined) {
      if (hasWaited && seen > mark.position) await move(seen, []);
      return 0;
    }
    const wanted = await orApart(
      async () => choose(heads),
      () => chooseApart(heads),
    );
    const parts = inParts(wanted, positionOf, mostTaken);
    const isOwed = hasWaited || last - mark.position >= longestLag;
    if (parts.length === 0 && isOwed) await move(last, []);
    for (const part of parts) {
      const to = part === parts.at(-1) ? last : positionOf(part.at(-1)!);
      await orApart(
        () => move(to, part),
        () => moveApart(part),
      );
    }
    seen = last;
    return heads.length;
  };
}

/** In their order. Whoever else writes has a turn between two of the parts. */
function inParts<Wanted>(wanted: readonly Wanted[], positionOf: (one: Wanted) => number, most: number): Wanted[][] {
  const parts: Wanted[][] = [];
  for (const one of wanted) {
    const part = parts.at(-1);
    const isOfLast = part !== undefined && positionOf(part.at(-1)!) === positionOf(one);
    if (part !== undefined && (isOfLast || part.length < most)) part.push(one);
    else parts.push([one]);
  }
  return parts;
}
