/**
 * A follower of the event log that wants few of its events: it looks at their heads without a transaction, and its mark moves when it takes
 * some, or now and then. So what nobody wants costs no commit. With `locationOf`, locations take turns where much of one waits.
 */
import { attemptBisecting } from "../../kit/bisect.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Database, Transaction } from "../../storage/database.ts";
import { untilCommit } from "../../storage/locks.ts";
import { keepToIndexes } from "../../storage/query-plans.ts";
import { sql } from "../../storage/sql-text.ts";
import { Unavailable } from "../../vocabulary/errors.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { createLocationRotation, findLocationMarks, moveLocationMark, removePassedMarks } from "./location-marks.ts";
import type { LocationMarks } from "./location-marks.ts";
import { takenBack } from "../taken-back.ts";

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
  /** The location of what is wanted, which alone is then kept in the order of positions. Without it all of the log is. */
  readonly locationOf?: (wanted: Wanted) => number;
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
const headColumns = "id, position, workspace_id, location_id, event, contact_id, run_id, created_at";
const headsText = sql`select ${headColumns} from events
  where position > ? order by position limit ${{ sqlite: "?", postgres: "cast(? as bigint)" }}`;

const noMarks: LocationMarks = new Map();

const isUnavailable = (error: unknown): boolean => error instanceof Unavailable;

/** Gives a function that looks at the next of them, a thousand unless said otherwise, resolving to how many there were. The name must have a mark. */
export function createEventReader<Wanted>(
  database: Database,
  { name, clock, atOnce = 1000, choose, positionOf, locationOf, mostTaken, take, passedOver }: LookAhead<Wanted>,
): () => Promise<number> {
  /** What this process has seen, and nobody wanted. */
  let seen = 0;
  let movedAt = Number.NEGATIVE_INFINITY;
  /** How far it has seen single locations, ahead of all the others. */
  const seenAhead = new Map<number, number>();
  const rotation = createLocationRotation<EventHead>(headColumns);

  /** Moves the mark, that of a location alone where one is named, with what is taken up to there. */
  async function move(to: number, wanted: readonly Wanted[], location?: number): Promise<void> {
    await database.transaction(async (transaction) => {
      keepToIndexes(transaction);
      const [[mark], ahead] = await Promise.all([
        transaction.rows<{ position: number }>(heldMarkText, [name]),
        locationOf === undefined ? noMarks : findLocationMarks(transaction, name),
      ]);
      const reached = Math.max(mark!.position, (location === undefined ? undefined : ahead.get(location)) ?? 0);
      // Another worker was here meanwhile, or the location had its turn.
      const left = wanted.filter(
        (one) => positionOf(one) > Math.max(mark!.position, ahead.get(locationOf?.(one) ?? 0) ?? 0),
      );
      if (left.length > 0) await take(left, transaction);
      if (to <= reached) return;
      if (location !== undefined) return moveLocationMark(transaction, name, location, to);
      transaction.send("update event_marks set position = ? where name = ?", [to, name]);
      if (ahead.size > 0) removePassedMarks(transaction, name, to);
    });
    if (location === undefined) movedAt = clock.now().getTime();
  }

  /** Chooses event by event where one of them throws. */
  async function chooseApart(heads: readonly EventHead[]): Promise<Wanted[]> {
    const chosen: Wanted[] = [];
    await attemptBisecting(heads, async (part) => void chosen.push(...(await choose(part))), {
      stops: isUnavailable,
      failed: (head, error) => passedOver!(error, { head }),
      tries,
    });
    return chosen;
  }

  /** Moves on event by event where one of them throws, and past that one without what it is that throws. */
  async function moveApart(wanted: readonly Wanted[], location?: number): Promise<void> {
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
        failed: async ([position, ofEvent]) => move(position, await soundOf(ofEvent), location),
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
      await attemptBisecting([one], attempt, {
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

  /** Takes what is wanted of these; the last part moves the mark on to `last`. Resolves to whether there was any. */
  async function pass(heads: readonly EventHead[], last: number, location?: number): Promise<boolean> {
    const wanted = await orApart(
      async () => choose(heads),
      () => chooseApart(heads),
    );
    const parts = inParts(wanted, positionOf, mostTaken);
    for (const part of parts) {
      const to = part === parts.at(-1) ? last : positionOf(part.at(-1)!);
      await orApart(
        () => move(to, part, location),
        () => moveApart(part, location),
      );
    }
    return parts.length > 0;
  }

  /** Some of what other locations have behind `last`, so that they need not wait for all that comes before it. */
  async function passOthers(last: number, except: ReadonlySet<number | null>): Promise<void> {
    const turns = await rotation.next(database, last, seenAhead, except);
    for (const [location, heads] of turns) {
      const end = heads.at(-1)!.position;
      await pass(heads, end, location);
      seenAhead.set(location, end);
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
    const left = heads.filter(({ position, location_id }) => position > (seenAhead.get(location_id ?? 0) ?? 0));
    const isOwed = hasWaited || last - mark.position >= longestLag;
    if (!(await pass(left, last)) && isOwed) await move(last, []);
    seen = last;
    for (const [location, position] of seenAhead) if (position <= last) seenAhead.delete(location);
    if (locationOf !== undefined && heads.length === atOnce) {
      await passOthers(last, new Set(heads.map(({ location_id }) => location_id)));
    }
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
