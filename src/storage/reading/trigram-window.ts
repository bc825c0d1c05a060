/** By which of its trigrams a text is looked up: the rarest; on PostgreSQL a part of the text around it. */
import type { Estimates, TrigramEstimate } from "./trigram-estimates.ts";

/** The most trigrams that a text is looked up by: the rarest ones; on PostgreSQL the rarest and those around it. */
export const mostTrigrams = 4;
/** The same on PostgreSQL while fewer rows of the sample have the whole text: to compare a list more takes less time than to read rows in vain. */
const mostTrigramsOfCommon = 8;
/** Lists of rows this many times longer than that of the rarest trigram narrow little, and take longer to read. */
export const mostTimesLonger = 10;
/** On PostgreSQL, where reading a row in vain takes as long as comparing a thousand entries of a list, lists of this share of all rows narrow enough. */
const narrowingShare = 1 / 4;
/** Samples do not tell shorter lists apart. */
const shortList = 3000;

export function trigramsOf(points: readonly string[]): string[] {
  return points.slice(2).map((last, place) => `${points[place]}${points[place + 1]}${last}`);
}

interface RarestPart {
  readonly rarest: string;
  /** The number of the line that contains the text; undefined for any. */
  readonly line: number | undefined;
  /** Of all trigrams of the text. */
  readonly estimated: readonly TrigramEstimate[];
}

/**
 * The part of a text around its rarest trigram: as far as the next trigrams are useful too, and then while fewer rows have the trigrams of the whole text. GIN
 * looks for the rows of the rarest trigram in the lists of all.
 */
export async function windowAround(
  points: readonly string[],
  { rarest, line, estimated }: RarestPart,
  estimates: Estimates,
): Promise<string> {
  const trigrams = trigramsOf(points);
  const expected = new Map(estimated.map((one) => [one.part, one.expected]));
  const all = await estimates.having([], line);
  const longest = Math.max(Math.max(expected.get(rarest)!, shortList) * mostTimesLonger, all * narrowingShare);
  // One across two words is none of the index, but adds those of the ends of the words.
  const rowsOf = (place: number): number =>
    place in trigrams ? (expected.get(trigrams[place]!) ?? longest) : Number.POSITIVE_INFINITY;
  let from = trigrams.indexOf(rarest);
  let last = from;
  while (last - from + 1 < mostTrigrams) {
    const [before, after] = [rowsOf(from - 1), rowsOf(last + 1)];
    if (Math.min(before, after) > longest) break;
    if (before < after) from -= 1;
    else last += 1;
  }
  const rowsWith = async (first: number, end: number): Promise<number> =>
    first < 0 || end >= trigrams.length
      ? Number.POSITIVE_INFINITY
      : estimates.having(trigrams.slice(first, end + 1), line);
  const fewest = await rowsWith(0, trigrams.length - 1);
  while (last - from + 1 < mostTrigramsOfCommon && (await rowsWith(from, last)) > fewest) {
    const [before, after] = await Promise.all([rowsWith(from - 1, last), rowsWith(from, last + 1)]);
    if (before < after || (before === after && rowsOf(from - 1) < rowsOf(last + 1))) from -= 1;
    else last += 1;
  }
  return points.slice(from, last + 3).join("");
}
