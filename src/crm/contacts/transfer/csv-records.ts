/** Reads the records of a CSV text that comes in pieces; one that is broken is told with its line, and the next ones are read. */
// Written here: csv-parse ends at a broken quote, or passes over all that follows until quotes happen to match again.
import { readRecord } from "./csv-record.ts";

export interface TextRecord {
  /** The line that it begins on, from 1. */
  readonly line: number;
  /** How many characters of the text lie before its end. */
  readonly end: number;
  readonly cells: readonly string[];
  /** Why it is no record, as what "The row …" is followed by, and what stands on its line from the broken cell on; `cells` are those before. */
  readonly broken?: { readonly because: string; readonly rest: string };
}

/** In characters. A quote that is never closed makes one record of all that follows it, and no more of it is held than this. */
const largestRecord = 2 ** 20;

const misplaced =
  "has a quote out of place: a cell that holds quotes stands in quotes, and each of its own is doubled.";
const unclosed = "opens a quote that is not closed";
const large = "is larger than 1 MiB.";

/**
 * The records of `pieces`, empty lines left out. A broken record is refused with the line on which its broken cell begins, and the
 * reading goes on with the line after that: of a quote that is never closed no more is lost. A record too large to be held is
 * passed over to its end, or where its quote turns out to be none, to the line that says so.
 */
export async function* readRecords(
  pieces: AsyncIterable<string> | Iterable<string>,
  delimiter: string,
): AsyncGenerator<TextRecord> {
  let text = "";
  let at = 0;
  let line = 1;
  /** How much of the whole text lies before `text`. */
  let passed = 0;
  /** The line of the record that is too large to be held: `text` begins with what stands for it. */
  let largeFrom: number | undefined;

  function goTo(place: number): void {
    line += countBreaks(text.slice(at, place));
    at = place;
  }

  /** The record at `at`, if all of it is there. */
  function next(isLast: boolean): TextRecord | undefined {
    const found = readRecord(text, at, delimiter, isLast);
    if (found.kind === "more") return wait(found.same);
    const begun = largeFrom ?? line;
    if (found.kind === "record") {
      goTo(found.end);
      const isLarge = largeFrom !== undefined;
      largeFrom = undefined;
      const record = { line: begun, end: passed + at };
      return isLarge
        ? { ...record, cells: [], broken: { because: large, rest: "" } }
        : { ...record, cells: found.cells };
    }
    if (largeFrom !== undefined) {
      const lineStart = found.at === text.length ? found.at : findLineStart(text, found.at);
      const end = lineStart > at ? lineStart : findLineEnd(text, found.at, isLast)?.next;
      if (end === undefined) return wait("_");
      goTo(end);
      largeFrom = undefined;
      const last = line - 1;
      const because = begun === last ? large : `${unclosed}; the lines up to ${last} were passed over with it.`;
      return { line: begun, end: passed + at, cells: [], broken: { because, rest: "" } };
    }
    const lineEnd = findLineEnd(text, found.from, isLast);
    if (lineEnd === undefined) return wait("_");
    const because = found.at < lineEnd.at ? misplaced : `${unclosed}.`;
    const rest = text.slice(found.from, lineEnd.at);
    goTo(lineEnd.next);
    return { line: begun, end: passed + at, cells: found.cells, broken: { because, rest } };
  }

  /** For more of the text, of which no more is held than has to be. */
  function wait(same: string): undefined {
    if (text.length - at <= largestRecord) return;
    largeFrom ??= line;
    line += countBreaks(text.slice(at)) - countBreaks(same);
    passed += text.length - same.length;
    text = same;
    at = 0;
  }

  function* take(piece: string, isLast: boolean): Generator<TextRecord> {
    passed += at;
    text = text.slice(at) + piece;
    at = 0;
    while (at < text.length) {
      const record = next(isLast);
      if (record === undefined) return;
      if (record.cells.length > 1 || record.cells[0] !== "" || record.broken !== undefined) yield record;
    }
  }

  for await (const piece of pieces) yield* take(piece, false);
  yield* take("", true);
}

const breaks = /\r\n|\r|\n/g;

function countBreaks(text: string): number {
  return text.match(breaks)?.length ?? 0;
}

function findLineStart(text: string, place: number): number {
  return Math.max(text.lastIndexOf("\n", place - 1), text.lastIndexOf("\r", place - 1)) + 1;
}

/** Where the line ends and where the next one begins; undefined where the text ends before it does. */
function findLineEnd(text: string, from: number, isLast: boolean): { at: number; next: number } | undefined {
  breaks.lastIndex = from;
  const found = breaks.exec(text);
  if (found === null) return isLast ? { at: text.length, next: text.length } : undefined;
  const next = found.index + found[0].length;
  // A CR at the end of what is known may be the first half of a line's end.
  return next === text.length && found[0] === "\r" && !isLast ? undefined : { at: found.index, next };
}
