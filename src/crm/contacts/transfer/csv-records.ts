/** Streams the records of a CSV text that arrives in chunks. Malformed records are reported with their line, and reading continues. */
// Not csv-parse: it stops at a malformed quote, or skips everything up to the next matching quote.
import { readRecord } from "./csv-record.ts";
import type { BegunRecord } from "./csv-record.ts";

export interface TextRecord {
  /** The line of its start, from 1. */
  readonly line: number;
  /** The offset of its end, in characters. */
  readonly end: number;
  readonly cells: readonly string[];
  /** For a malformed record: the reason as a predicate of "The row …", and the rest of the line from the malformed cell; `cells` are those before it. */
  readonly broken?: { readonly because: string; readonly rest: string };
}

/** The maximum record size in characters, which bounds the memory: an unclosed quote turns the rest of the file into one record. */
const largestRecord = 2 ** 20;
/** The maximum cells of a record: the columns of a spreadsheet. */
const mostCells = 16_384;

const misplaced =
  "has a misplaced quote: enclose a cell that contains quotes in quotes, and double each quote inside it.";
const unclosed = "opens a quote that is not closed";
const large = "is larger than 1 MiB.";
const wide = "has more than 16,384 cells.";

/**
 * The records of `pieces`, without empty lines. A malformed record is reported with the line of its malformed cell, and reading continues on
 * the next line, so that an unclosed quote loses one line only. A record that exceeds the maximum size is skipped to its end, or, if its
 * quote is malformed, to the line of the error.
 */
export async function* readRecords(
  pieces: AsyncIterable<string> | Iterable<string>,
  delimiter: string,
): AsyncGenerator<TextRecord> {
  let text = "";
  let at = 0;
  let line = 1;
  /** The offset of `text` in the whole text. */
  let passed = 0;
  /** The line of an oversized record, which is replaced in `text` by a short equivalent. */
  let largeFrom: number | undefined;
  /** What was parsed of the record at `at`. */
  let begun: BegunRecord | undefined;

  function goTo(index: number): void {
    line += countBreaks(text.slice(at, index));
    at = index;
    begun = undefined;
  }

  /** The record at `at`, if it is complete. */
  function next(isLast: boolean): TextRecord | undefined {
    const found = readRecord(text, begun ?? { cells: [], from: at, looked: at }, delimiter, isLast);
    if (found.kind === "more") {
      begun = found.begun;
      return wait(found.same);
    }
    const first = largeFrom ?? line;
    if (found.kind === "record") {
      goTo(found.end);
      const isLarge = largeFrom !== undefined;
      largeFrom = undefined;
      const record = { line: first, end: passed + at };
      return isLarge || found.cells.length > mostCells
        ? { ...record, cells: [], broken: { because: isLarge ? large : wide, rest: "" } }
        : { ...record, cells: found.cells };
    }
    // Its line may end in a later piece.
    begun = { cells: found.cells, from: found.from, looked: found.from };
    if (largeFrom !== undefined) {
      const lineStart = found.at === text.length ? found.at : findLineStart(text, found.at);
      const end = lineStart > at ? lineStart : findLineEnd(text, found.at, isLast)?.next;
      if (end === undefined) return wait("_");
      goTo(end);
      largeFrom = undefined;
      const last = line - 1;
      const because = first === last ? large : `${unclosed}; the lines up to ${last} were skipped with it.`;
      return { line: first, end: passed + at, cells: [], broken: { because, rest: "" } };
    }
    const lineEnd = findLineEnd(text, found.from, isLast);
    if (lineEnd === undefined) return wait("_");
    const because = found.at < lineEnd.at ? misplaced : `${unclosed}.`;
    const rest = text.slice(found.from, lineEnd.at);
    goTo(lineEnd.next);
    return { line: first, end: passed + at, cells: found.cells, broken: { because, rest } };
  }

  /** Waits for more text. Replaces an oversized record by a short equivalent. */
  function wait(same: string): undefined {
    // Of an oversized record that is in a bare cell, nothing is needed any more: a line break ends it.
    if (text.length - at <= largestRecord && (largeFrom === undefined || !same.startsWith("_"))) return;
    largeFrom ??= line;
    line += countBreaks(text.slice(at)) - countBreaks(same);
    passed += text.length - same.length;
    text = same;
    at = 0;
    begun = undefined;
  }

  function* take(piece: string, isLast: boolean): Generator<TextRecord> {
    passed += at;
    if (begun !== undefined) begun = { ...begun, from: begun.from - at, looked: begun.looked - at };
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

function findLineStart(text: string, index: number): number {
  return Math.max(text.lastIndexOf("\n", index - 1), text.lastIndexOf("\r", index - 1)) + 1;
}

/** The end of the line and the start of the next; undefined if the text ends before. */
function findLineEnd(text: string, from: number, isLast: boolean): { at: number; next: number } | undefined {
  breaks.lastIndex = from;
  const found = breaks.exec(text);
  if (found === null) return isLast ? { at: text.length, next: text.length } : undefined;
  const next = found.index + found[0].length;
  // A CR at the end of the text may be the first half of CRLF.
  return next === text.length && found[0] === "\r" && !isLast ? undefined : { at: found.index, next };
}
