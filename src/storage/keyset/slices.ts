/** Reads a long list slice by slice, for conditions that no index answers: a fair queue serves other requests between two slices. */
import { createFairLock } from "../../kit/waiting/fair-lock.ts";
import type { FairLock, RunPiece } from "../../kit/waiting/fair-lock.ts";
import type { Position, Range } from "./keyset.ts";

/**
 * Concurrent slices per list: most of PostgreSQL's pool is left to other requests. SQLite reads one per turn of the
 * event loop anyway.
 */
const slicesAtOnce = 2;

/** A fair queue for the slices of one list. */
export function createSliceQueue(): FairLock {
  return createFairLock(slicesAtOnce);
}

interface Slices<Place> {
  /** Undefined: from the beginning of the list. */
  readonly from: Place | undefined;
  /** The rows of the first slice; Infinity: all of the list. */
  readonly size: number;
  /** The size of the next slice, after one that took this many milliseconds. */
  readonly nextSize: (size: number, milliseconds: number) => number;
  /** The position at which a slice of `count` rows after `after` ends; undefined if the list has fewer. */
  readonly findEnd: (after: Place | undefined, count: number) => Promise<Place | undefined>;
  /** Reads a slice; resolves to whether it found enough rows. */
  readonly read: (range: Range<Place>) => Promise<boolean>;
  /** Awaited before each statement; nothing if the caller awaits its turn before each slice. */
  readonly turn?: RunPiece;
}

/** A slice that took more (or less) than these milliseconds makes the next one smaller (or larger). */
const longSlice = 20;
export const shortSlice = 5;
const fewest = 16;

/** The size of the next slice, which should take about as long as a small read may wait. */
export function sizeByTime(size: number, took: number): number {
  if (took > longSlice) return Math.max(fewest, Math.round(size / Math.min(8, took / shortSlice)));
  return took < shortSlice ? size * 2 : size;
}

/**
 * Returns a function that reads the next slice and resolves to whether there is more. A row that moves to the front
 * meanwhile may be missed, as between two pages.
 */
export function createSlices<Place = Position>({
  from,
  size,
  nextSize,
  findEnd,
  read,
  turn = (work) => work(),
}: Slices<Place>): () => Promise<boolean> {
  let after = from;
  let count = size;
  return async () => {
    const until = count === Number.POSITIVE_INFINITY ? undefined : await turn(() => findEnd(after, count));
    const [hasEnough, took] = await turn(async () => {
      const begun = performance.now();
      return [await read({ after, until }), performance.now() - begun] as const;
    });
    after = until;
    count = nextSize(count, took);
    return !hasEnough && until !== undefined;
  };
}

interface InQueue {
  readonly queue: FairLock;
  /** The holder in the fair queue. */
  readonly holder: string;
}

/**
 * Reads slice after slice, each from where the one before has ended, until `read` resolves to undefined. The first slice is read immediately,
 * further ones through the queue.
 */
export async function walkSlices<Place>(
  { queue, holder }: InQueue,
  from: Place,
  read: (from: Place) => Promise<Place | undefined>,
): Promise<void> {
  const second = await read(from);
  if (second === undefined) return;
  await queue(holder, async (turn) => {
    let next: Place | undefined = second;
    while (next !== undefined) {
      const begins: Place = next;
      next = await turn(() => read(begins));
    }
  });
}

interface Search<Row, Place> extends InQueue, Pick<Slices<Place>, "from" | "size" | "nextSize" | "findEnd"> {
  /** At most `most` matching rows of the range. */
  readonly find: (range: Range<Place>, most: number) => Promise<readonly Row[]>;
}

/** The first `most` matching rows. The first slice is read immediately, further ones through the queue. */
export async function findInSlices<Row, Place = Position>(
  most: number,
  { queue, holder, find, ...slices }: Search<Row, Place>,
): Promise<Row[]> {
  const rows: Row[] = [];
  const readNext = createSlices({
    ...slices,
    async read(range) {
      rows.push(...(await find(range, most - rows.length)));
      return rows.length >= most;
    },
  });
  await walkSlices({ queue, holder }, true, async () => (await readNext()) || undefined);
  return rows;
}
