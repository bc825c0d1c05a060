/**
 * Scans lists without a matching index in slices, interleaved by a fair lock, so that one slow filter does not block other readers; and the
 * approximate size of a list, cached, which decides how it is read.
 */
import type { LocationContext, Reader, Tools } from "../../../events/caller.ts";
import { queueKeyOf } from "../../../events/read-queue.ts";
import type { RunPiece } from "../../../kit/waiting/fair-lock.ts";
import type { Position, Range } from "../../../storage/keyset/keyset.ts";
import { createSliceQueue, createSlices, sizeByTime } from "../../../storage/keyset/slices.ts";
import { embeddedOnly, sql } from "../../../storage/sql-text.ts";
import { fromLongTexts } from "../../contact-texts.ts";
import type { PlannedConditions, ReadCost } from "./contact.list-plan.ts";
import { countAmongFirst, countRows, findPositionAfter } from "./contact.list-rows.ts";
import type { LongTexts } from "./substring.ts";

/** Cost limits, in the units of ReadCost. */
export interface Bounds {
  /** Up to this cost a list is read without queueing. */
  readonly atOnce: number;
  /**
   * The cost of one slice. Slices are large (a hundred thousand contacts for a cheap filter), since finding the end of a slice takes half as
   * long as reading it.
   */
  readonly piece: number;
}

export const usualBounds: Bounds = { atOnce: 20_000, piece: 130_000 };

/** The costs are estimates: slices adapt to the time that they take. */
const fewest = 16;

/** The cost of searching one long text. */
const longText = 30;

const inFairQueue = createSliceQueue();

/** The best way to search long texts, and the cost of scanning the whole list. */
export function costOf(
  { each, parts }: ReadCost,
  { contacts, long }: ListSize,
  { atOnce }: Bounds,
): { longTexts: Exclude<LongTexts, "none">; each: number; whole: number } {
  // If there are few, each statement searches all of them.
  const fixed = parts * long * longText;
  if (fixed <= atOnce / 2) return { longTexts: "few", each, whole: contacts * each + fixed };
  const looking = each + parts * longText;
  return { longTexts: "many", each: looking, whole: contacts * looking };
}

/** Runs `work` in the fair queue of the reader. */
export function inQueueOf<Result>(
  reader: Reader<LocationContext>,
  work: (turn: RunPiece) => Promise<Result>,
): Promise<Result> {
  return inFairQueue(queueKeyOf(reader), work);
}

interface SliceScan {
  readonly turn: RunPiece;
  /** Undefined: from the start. */
  readonly from: Position | undefined;
  /** The size of the first slice, in contacts. */
  readonly size: number;
  /** Whether the whole list fits into one slice. */
  readonly isOneSlice: boolean;
}

/** Contacts of the first slice in which a page is looked for: finding the end of a large one would take longer than finding a page of a common text. */
const firstOfPage = 4000;

/** The same scan for a page. */
export function forPage<Scan extends { readonly size: number }>(scan: Scan): Scan {
  return { ...scan, size: Math.min(scan.size, firstOfPage) };
}

/** Calls `read` for consecutive slices of the list until it returns true. */
export async function readInSlices(
  reader: Reader<LocationContext>,
  conditions: PlannedConditions,
  { turn, from, size, isOneSlice }: SliceScan,
  read: (range: Range) => Promise<boolean>,
): Promise<void> {
  const readNext = createSlices({
    from,
    size: isOneSlice ? Number.POSITIVE_INFINITY : Math.max(fewest, Math.round(size)),
    nextSize: sizeByTime,
    findEnd: (after, count) => findPositionAfter(reader, conditions, after, count),
    read,
    turn,
  });
  while (await readNext());
}

/**
 * Counts the matching contacts, up to at least `most`. Where a slice ends is looked up only if another one follows, since that takes half as long as
 * counting. The count is not of one moment: of contacts that are deleted or move to the front in between, as many behind the slice are missed, and
 * one that moves there before its slice is. One snapshot for all slices would hold a connection, and old versions of rows, for as long as the queue takes.
 */
export async function countInSlices(
  reader: Reader<LocationContext>,
  conditions: PlannedConditions,
  { turn, from, size, isOneSlice }: SliceScan,
  most: number,
): Promise<number> {
  if (isOneSlice) return turn(() => countRows(reader, conditions, { after: from }, most));
  let after = from;
  let first = Math.max(fewest, Math.round(size));
  for (let counted = 0; ;) {
    const begun = { after, first };
    const [matches, took] = await turn(async () => {
      const start = performance.now();
      const found = await countAmongFirst(reader, conditions, { after: begun.after }, { first: begun.first, most });
      return [found, performance.now() - start] as const;
    });
    counted += matches;
    if (counted >= most) return counted;
    const end = await turn(() => findPositionAfter(reader, conditions, begun.after, begun.first));
    if (end === undefined) return counted;
    after = end;
    first = sizeByTime(first, took);
  }
}

export interface ListSize {
  readonly contacts: number;
  /** The contacts with texts longer than their keys, counted up to `mostLong`. */
  readonly long: number;
}

const mostLong = 1000;

/** The cache lifetime in milliseconds: short enough that no list grows much in the meantime. */
const cacheMilliseconds = 10_000;

/** By service instance and location id. */
const sizes = new WeakMap<Tools, Map<number, ListSize & { readonly until: number }>>();

const sizeText = sql`select (select coalesce(sum(delta), 0) from contact_counts where location_id = ?) as contacts,
  (select count(*) from (select 1 as one ${fromLongTexts} limit ${mostLong}) as listed) as long`;

export async function sizeOfList({ tools, location, rowsOnce }: Reader<LocationContext>): Promise<ListSize> {
  let known = sizes.get(tools);
  if (known === undefined) {
    known = new Map();
    sizes.set(tools, known);
  }
  const now = tools.clock.now().getTime();
  const cached = known.get(location.id);
  if (cached !== undefined && cached.until > now) return cached;
  const [size] = await rowsOnce<ListSize>(sizeText, [location.id, location.id]);
  const fresh = { contacts: size?.contacts ?? 0, long: size?.long ?? 0, until: now + cacheMilliseconds };
  known.set(location.id, fresh);
  return fresh;
}

/** For an embedded database, where an extra statement is cheaper than a condition on many contacts. */
const noneText = embeddedOnly(sql`select not exists (select 1 ${fromLongTexts}) as none`);

/** Whether the location has no long texts now; false if unknown. */
export async function hasNoLongTexts({ location, rows }: Reader<LocationContext>): Promise<boolean> {
  const [found] = await rows<{ none: number }>(noneText, [location.id]);
  return found?.none === 1;
}
