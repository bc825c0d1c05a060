/**
 * Reads the event log for a follower that needs few of its events. It scans event heads without a transaction, and commits its mark only when it
 * processes events, or at intervals; scanning unwanted events costs no commit. With `locationOf`, locations with a backlog are served in
 * round robin.
 */
import { attemptBisecting } from "../../kit/bisect.ts";
import type { DutyOutcome } from "../../kit/duty.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Database, Select, Transaction } from "../../storage/database.ts";
import { forUpdate } from "../../storage/locks.ts";
import { keepToLookUps } from "../../storage/query-plans.ts";
import { integerParameter } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { Unavailable } from "../../vocabulary/errors.ts";
import { createLocationRotation, findLocationMarks, moveLocationMark, removePassedMarks } from "./location-marks.ts";
import type { LocationMarks } from "./location-marks.ts";
import { selectHeads } from "./positioned-events.ts";
import type { EventHead } from "./positioned-events.ts";
import { withSurvivors } from "../attempts/superseded.ts";
import type { Survivors } from "../attempts/superseded.ts";
import { withRollback } from "../with-rollback.ts";

type Skipped<Wanted> = { readonly head: EventHead } | { readonly wanted: Wanted };

type AfterCommit = () => Promise<void>;

interface EventReaderOptions<Wanted, Beside> {
  readonly name: string;
  readonly clock: Clock;
  /** Where the reader reports the position that it has reached, by its name. */
  readonly followers?: Map<string, number>;
  /** The number of events per scan. */
  readonly atOnce?: number;
  /**
   * What `choose` needs as well: a select that is run right after the one of up to `atMost` events behind `position`, in the same round trip. Not
   * together with `locationOf`.
   */
  readonly beside?: (position: number, atMost: number) => Select;
  /** Selects the wanted items of these events, in the order of their positions. */
  readonly choose: (heads: readonly EventHead[], beside: readonly Beside[]) => Promise<readonly Wanted[]>;
  readonly positionOf: (wanted: Wanted) => number;
  /** The location of an item. With it, order is kept per location; without it, over the whole log. */
  readonly locationOf?: (wanted: Wanted) => number;
  /** The maximum number of items per transaction; the items of one event stay together. */
  readonly batchSize: number;
  /**
   * Processes the items, in the transaction that moves the mark. Statements that it sends leave with the COMMIT. What it returns is called
   * after the commit.
   */
  readonly take: (
    wanted: readonly Wanted[],
    transaction: Transaction,
    survivors: Survivors,
  ) => void | Promise<AfterCommit | void>;
  /** Whether the statements of `take` leave out events up to the mark, which is locked before them; not together with `locationOf`. */
  readonly leavesOutPassed?: boolean;
  /**
   * Called for a poison event: one that still fails in `choose` or `take` after all retries, and is skipped. Without it the error is thrown,
   * and later events wait.
   */
  readonly onSkipped?: (error: unknown, passed: Skipped<Wanted>) => void;
}

/** Attempts per single event. Database outages do not count: the follower waits for them to end. */
const tries = 3;

/** The maximum lag of the mark, in events: so many are scanned again after a restart. */
const longestLag = 5000;
/** The maximum lag of the mark, in milliseconds: events after a mark keep their payloads. */
const longestWait = 3_600_000;

const markText = "select position from event_marks where name = ?";
const lockMarkText = sql`${markText}${forUpdate("event_marks")}`;
const headsText = sql`${selectHeads(sql`event_positions`, `(${markText}) as mark`)}
  where log.position > ? order by log.position limit ${integerParameter}`;
const moveMarkText = "update event_marks set position = ? where name = ? and position < ?";

/** The mark as it was when the head was read. */
interface MarkedHead extends EventHead {
  readonly mark: number;
}

/** The next events, and what was read beside them. */
interface Next<Beside, Head extends EventHead = EventHead> {
  readonly heads: readonly Head[];
  readonly rows: readonly Beside[];
}

const noMarks: LocationMarks = new Map();

/** The marks of locations, and which of them is moved, if not the follower's own. */
interface Marks {
  readonly ahead: LocationMarks;
  readonly location: number | undefined;
}

const isUnavailable = (error: unknown): boolean => error instanceof Unavailable;

/** Creates a function that scans the next `atOnce` events. It has worked when some were wanted. `name` must have a row in event_marks. */
export function createEventReader<Wanted, Beside = never>(
  database: Database,
  {
    name,
    clock,
    followers = new Map<string, number>(),
    atOnce = 1000,
    beside,
    choose,
    positionOf,
    locationOf,
    batchSize,
    take,
    leavesOutPassed = false,
    onSkipped,
  }: EventReaderOptions<Wanted, Beside>,
): () => Promise<DutyOutcome> {
  /** The position up to which this process has scanned; ahead of the mark where no event was wanted. */
  let seen = 0;
  let movedAt = Number.NEGATIVE_INFINITY;
  /** The positions of single locations that were served ahead of the others. */
  const seenAhead = new Map<number, number>();
  const rotation = createLocationRotation();

  /** Processes `wanted` and moves the mark to `to`, in one transaction: the follower's mark, or that of `location`. */
  async function move(to: number, wanted: readonly Wanted[], location?: number): Promise<void> {
    const work =
      (survivors: Survivors) =>
      async (transaction: Transaction): Promise<AfterCommit | void> => {
        keepToLookUps(transaction);
        if (leavesOutPassed) {
          // All in one round trip, since nothing is read.
          transaction.send(lockMarkText, [name]);
          const taken = wanted.length > 0 ? await take(wanted, transaction, survivors) : undefined;
          transaction.send(moveMarkText, [to, name, to]);
          return taken;
        }
        const [[mark], ahead] = await Promise.all([
          transaction.rows<{ position: number }>(lockMarkText, [name]),
          locationOf === undefined ? noMarks : findLocationMarks(transaction, name),
        ]);
        const reached = Math.max(mark!.position, (location === undefined ? undefined : ahead.get(location)) ?? 0);
        // Without what another worker, or the rotation, has processed meanwhile.
        const left = wanted.filter(
          (one) => positionOf(one) > Math.max(mark!.position, ahead.get(locationOf?.(one) ?? 0) ?? 0),
        );
        const taken = left.length > 0 ? await take(left, transaction, survivors) : undefined;
        if (to > reached) moveTo(to, transaction, { ahead, location });
        return taken;
      };
    const taken = await withSurvivors((survivors) => database.transaction(work(survivors)));
    if (location === undefined) movedAt = clock.now().getTime();
    await taken?.();
  }

  function moveTo(to: number, transaction: Transaction, { ahead, location }: Marks): void {
    if (location !== undefined) return moveLocationMark(transaction, name, location, to);
    transaction.send("update event_marks set position = ? where name = ?", [to, name]);
    if (ahead.size > 0) removePassedMarks(transaction, name, to);
  }

  /** Isolates events for which `choose` throws, by bisection. */
  async function chooseOneByOne({ heads, rows }: Next<Beside>): Promise<Wanted[]> {
    const chosen: Wanted[] = [];
    await attemptBisecting(heads, async (part) => void chosen.push(...(await choose(part, rows))), {
      stops: isUnavailable,
      failed: (head, error) => onSkipped!(error, { head }),
      tries,
    });
    return chosen;
  }

  /** Isolates events for which `take` throws, by bisection, and moves past them without their failing items. */
  async function moveOneByOne(wanted: readonly Wanted[], location?: number): Promise<void> {
    const byEvent = [...Map.groupBy(wanted, positionOf)];
    await attemptBisecting(
      byEvent,
      (part) =>
        move(
          part.at(-1)![0],
          part.flatMap(([, ofEvent]) => ofEvent),
          location,
        ),
      {
        stops: isUnavailable,
        failed: async ([position, ofEvent]) => move(position, await withoutPoison(ofEvent), location),
      },
    );
  }

  /** The items that succeed on their own: each is tried in a transaction that is rolled back. */
  async function withoutPoison(wanted: readonly Wanted[]): Promise<Wanted[]> {
    const sound: Wanted[] = [];
    for (const one of wanted) {
      const attempt = async (): Promise<void> => {
        await withSurvivors((survivors) =>
          withRollback<Transaction>(
            (work) => database.transaction(work),
            async (transaction) => take([one], transaction, survivors),
          ),
        );
        sound.push(one);
      };
      await attemptBisecting([one], attempt, {
        stops: isUnavailable,
        failed: (_one, error) => onSkipped!(error, { wanted: one }),
        tries,
      });
    }
    return sound;
  }

  /** Runs `work`; if it throws and `onSkipped` is given, falls back to `oneByOne`. */
  async function orOneByOne<Result>(work: () => Promise<Result>, oneByOne: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (onSkipped === undefined || isUnavailable(error)) throw error;
      return oneByOne();
    }
  }

  /** Processes the wanted items of these events; the last batch moves the mark to `last`. Resolves to whether there were any. */
  async function process(next: Next<Beside>, last: number, location?: number): Promise<boolean> {
    const wanted = await orOneByOne(
      async () => choose(next.heads, next.rows),
      () => chooseOneByOne(next),
    );
    const parts = toBatches(wanted, positionOf, batchSize);
    for (const part of parts) {
      const to = part === parts.at(-1) ? last : positionOf(part.at(-1)!);
      await orOneByOne(
        () => move(to, part, location),
        () => moveOneByOne(part, location),
      );
    }
    return parts.length > 0;
  }

  /** Processes some events after `last` of other locations, so that they need not wait for the backlog. */
  async function processOthers(last: number, except: ReadonlySet<number | null>): Promise<void> {
    const turns = await rotation.next(database, last, seenAhead, except);
    for (const [location, heads] of turns) {
      const end = heads.at(-1)!.position;
      await process({ heads, rows: [] }, end, location);
      seenAhead.set(location, end);
    }
  }

  async function findMark(): Promise<number> {
    const [mark] = await database.rows<{ position: number }>(markText, [name]);
    if (mark === undefined) throw new Error(`the event log has no follower named ${name}`);
    return mark.position;
  }

  async function readAfter(position: number): Promise<Next<Beside, MarkedHead>> {
    const select: Select = [headsText, [name, position, atOnce]];
    if (beside === undefined) return { heads: await database.rows<MarkedHead>(...select), rows: [] };
    const [heads, rows] = await database.rowsOfBoth<MarkedHead, Beside>(select, beside(position, atOnce));
    return { heads, rows };
  }

  return async () => {
    // With the mark, since another worker seldom moves it further.
    let next = seen > 0 ? await readAfter(seen) : undefined;
    const mark = next?.heads[0]?.mark ?? (await findMark());
    if (next === undefined || mark > seen) next = await readAfter(Math.max(seen, mark));
    const { heads, rows } = next;
    const last = heads.at(-1)?.position;
    followers.set(name, Math.max(seen, mark));
    const hasWaited = Math.abs(clock.now().getTime() - movedAt) >= longestWait;
    if (last === undefined) {
      if (hasWaited && seen > mark) await move(seen, []);
      return "done";
    }
    const left = heads.filter(({ position, location_id }) => position > (seenAhead.get(location_id ?? 0) ?? 0));
    const isOwed = hasWaited || last - mark >= longestLag;
    const hasWorked = await process({ heads: left, rows }, last);
    if (!hasWorked && isOwed) await move(last, []);
    seen = last;
    followers.set(name, last);
    for (const [location, position] of seenAhead) if (position <= last) seenAhead.delete(location);
    if (heads.length < atOnce) return hasWorked ? "worked" : "done";
    if (locationOf !== undefined) await processOthers(last, new Set(heads.map(({ location_id }) => location_id)));
    return "more";
  };
}

/** Splits the items into batches, in order, without splitting an event. Other writers get their turn between batches. */
function toBatches<Wanted>(wanted: readonly Wanted[], positionOf: (one: Wanted) => number, most: number): Wanted[][] {
  const parts: Wanted[][] = [];
  for (const one of wanted) {
    const part = parts.at(-1);
    const isOfLast = part !== undefined && positionOf(part.at(-1)!) === positionOf(one);
    if (part !== undefined && (isOfLast || part.length < most)) part.push(one);
    else parts.push([one]);
  }
  return parts;
}
