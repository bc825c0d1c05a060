/** Reads a CSV file record by record, whatever its size, and says where in the file each record lies. */
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { Invalid } from "../../../vocabulary/errors.ts";
import { Decoded, usualEncoding, WrongEncoding } from "./csv-text.ts";

export interface CsvRecord {
  /** The one it begins on, from 1, the header line included. */
  readonly line: number;
  /** How many bytes of the file lie before its end; near it where the file is not UTF-8. */
  readonly bytes: number;
  readonly cells: readonly string[];
}

interface CsvOptions {
  /** As the WHATWG names it, such as windows-1252; a byte order mark tells UTF-16 by itself. */
  readonly encoding?: string;
  /** Ends the reading, also where nothing comes any more, with an AbortError. */
  readonly signal?: AbortSignal;
}

/**
 * Refuses, on `file`, one that cannot be read, is not text in its encoding, or is no CSV; what was read before is not taken
 * back.
 */
export async function* readCsvFile(
  path: string,
  { encoding = usualEncoding, signal }: CsvOptions = {},
): AsyncGenerator<CsvRecord> {
  const file = createReadStream(path);
  try {
    const text = new Decoded(signal === undefined ? file : readUntil(signal, file), encoding);
    const chunks = text.chunks();
    const first = await chunks.next();
    if (first.done === true) return;
    yield* parseText(first.value, chunks, text);
  } catch (error) {
    throw toInvalid(error, path);
  } finally {
    file.destroy();
  }
}

/** The stream would hear of an abort when the next bytes come, and from a pipe they may never. */
async function* readUntil(signal: AbortSignal, file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = file[Symbol.asyncIterator]();
  for (;;) {
    const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      const abort = (): void => reject(new DOMException("The reading was ended.", "AbortError"));
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort);
      const forget = (): void => signal.removeEventListener("abort", abort);
      chunks.next().then(resolve, reject).finally(forget);
    });
    if (next.done === true) return;
    yield next.value;
  }
}

/** In bytes. A quote that is never closed makes one record of all that follows it: it is told instead of held. */
const largestRecord = 1_048_576;

interface Parsed {
  readonly record: string[];
  readonly info: { readonly lines: number; readonly bytes: number };
}

async function* parseText(first: string, rest: AsyncIterable<string>, text: Decoded): AsyncGenerator<CsvRecord> {
  const parser = parse({
    delimiter: delimiterOf(first),
    record_delimiter: ["\r\n", "\n", "\r"], // files that several programs wrote have several
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: largestRecord,
  });
  async function* whole(): AsyncGenerator<string> {
    yield first;
    yield* rest;
  }
  // The parser is destroyed with whatever goes wrong before it, and the loop below throws it.
  pipeline(whole(), parser, () => {});
  let pairs = 0;
  for await (const { record, info } of parser as AsyncIterable<Parsed>) {
    // The parser counts lines up to the end of a record, and a CR LF inside a quoted cell as two of them.
    const breaks = record.flatMap((cell) => cell.match(/\r\n|\r|\n/g) ?? []);
    pairs += breaks.filter((found) => found === "\r\n").length;
    const line = info.lines - pairs - breaks.length;
    yield { line, bytes: Math.round(info.bytes * text.bytesPerByte), cells: record };
  }
}

/** Spreadsheets of many countries write semicolons. */
function delimiterOf(text: string): string {
  const [header = ""] = text.split(/[\r\n]/, 1);
  const count = (delimiter: string): number => header.replace(/"[^"]*"/g, "").split(delimiter).length;
  return [",", ";", "\t"].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

function toInvalid(error: unknown, path: string): unknown {
  if (error instanceof CsvError) return new Invalid({ file: [`${path} is no CSV: ${error.message}.`] });
  if (error instanceof WrongEncoding) {
    const { encoding, line } = error;
    return new Invalid({
      file: [`${path} is not ${encoding.toUpperCase()} text at line ${line}. ${remedyFor(encoding)}`],
    });
  }
  if (!(error instanceof Error && "code" in error)) return error;
  switch (error.code) {
    case "ENOENT":
      return new Invalid({ file: [`There is no file ${path}.`] });
    case "EACCES":
    case "EISDIR":
      return new Invalid({ file: [`${path} cannot be read: ${error.message}.`] });
    default:
      return error;
  }
}

/** Windows programs, Outlook among them, write the encoding of their country: most often windows-1252. */
function remedyFor(encoding: string): string {
  return encoding === usualEncoding
    ? "Save it as CSV UTF-8, or name its encoding: --encoding windows-1252."
    : "Name another with --encoding.";
}
