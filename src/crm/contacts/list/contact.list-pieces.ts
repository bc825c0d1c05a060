/** Reads what no index answers piece by piece, each in its turn, so that nobody waits for another's filter. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { lineOf } from "../../../events/read-line.ts";
import type { RunPiece } from "../../../kit/waiting/fair-lock.ts";
import type { Position, Range } from "../../../storage/keyset/keyset.ts";
import { createSliceQueue, createSlices } from "../../../storage/keyset/slices.ts";
import type { Conditions, ReadCost } from "./contact.filters.sql.ts";
import { findPlaceBehind } from "./contact.list-rows.ts";
import type { ListSize } from "./contact.list-size.ts";
import type { LongTexts } from "./text-part.ts";

/** What may be read at once, in the units of ReadCost: about a ten-thousandth of a millisecond. */
export interface Bounds {
  /** Without standing in any line. */
  readonly atOnce: number;
  /** In one turn. A cheap filter passes a hundred thousand contacts in one piece, since to find where a piece ends takes half as long as to read it. */
  readonly piece: number;
}

export const usualBounds: Bounds = { atOnce: 20_000, piece: 130_000 };

/** What a piece takes at most, in milliseconds, and what is little; costs are guesses, and the next piece is made by what this one took. */
const longPiece = 20;
const shortPiece = 5;
const fewest = 16;

/** What it takes to look into one long text. */
const longText = 30;

const inFairLine = createSliceQueue();

/** How the long texts of a list are best looked into, and what reading all of it costs. */
export function costOf(
  { each, parts }: ReadCost,
  { contacts, long }: ListSize,
  { atOnce }: Bounds,
): { longTexts: Exclude<LongTexts, "none">; each: number; whole: number } {
  // Each statement looks into all of them where there are few.
  const fixed = parts * long * longText;
  if (fixed <= atOnce / 2) return { longTexts: "few", each, whole: contacts * each + fixed };
  const looking = each + parts * longText;
  return { longTexts: "many", each: looking, whole: contacts * looking };
}

/** In the line of the one who asks. */
export function inLineOf<Result>(
  reader: Reader<LocationContext>,
  work: (turn: RunPiece) => Promise<Result>,
): Promise<Result> {
  return inFairLine(lineOf(reader), work);
}

interface PieceWalk {
  readonly turn: RunPiece;
  /** Undefined: from the beginning. */
  readonly from: Position | undefined;
  /** How many contacts are passed in one piece, to begin with. */
  readonly size: number;
  /** Whether all of the list fits into one piece. */
  readonly isOnePiece: boolean;
}

/** Hands `read` one piece of the list after the other until it says that it has enough. */
export async function readInPieces(
  reader: Reader<LocationContext>,
  conditions: Conditions,
  { turn, from, size, isOnePiece }: PieceWalk,
  read: (range: Range) => Promise<boolean>,
): Promise<void> {
  const readNext = createSlices({
    from,
    size: isOnePiece ? Number.POSITIVE_INFINITY : Math.max(fewest, Math.round(size)),
    nextSize,
    findEnd: (after, count) => findPlaceBehind(reader, conditions, after, count),
    read,
    turn,
  });
  while (await readNext());
}

function nextSize(size: number, took: number): number {
  if (took > longPiece) return Math.max(fewest, Math.round(size / Math.min(8, took / shortPiece)));
  return took < shortPiece ? size * 2 : size;
}
