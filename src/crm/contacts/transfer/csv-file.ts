/** Streams the records of a CSV file, with the position of each. */
import { createReadStream } from "node:fs";
import { awaitPieceTurn } from "../../../kit/waiting/fair-lock.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { delimiters } from "./csv-record.ts";
import { readRecords } from "./csv-records.ts";
import type { TextRecord } from "./csv-records.ts";
import { Decoded, usualEncoding, WrongEncoding } from "./csv-text.ts";

export interface CsvRecord extends Omit<TextRecord, "end"> {
  /** The approximate offset of its end, in bytes. */
  readonly bytes: number;
  /** The delimiter of the file. */
  readonly delimiter: string;
}

interface CsvOptions {
  /** A WHATWG encoding label, such as windows-1252. UTF-16 is detected by its byte order mark. */
  readonly encoding?: string;
  /** Aborts reading with an AbortError, even while no data arrives. */
  readonly signal?: AbortSignal;
}

/**
 * The records of the file, including malformed ones. Refuses, on `file`, a file that cannot be read or is not text in its encoding; records
 * yielded before the error stay valid.
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

/** The records of a file that arrives as a stream. Refuses, on `file`, what is not text in its encoding. */
export async function* readCsvStream(
  content: AsyncIterable<Uint8Array>,
  { encoding = usualEncoding }: Pick<CsvOptions, "encoding"> = {},
): AsyncGenerator<CsvRecord> {
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const piece of content) {
      await awaitPieceTurn();
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    }
  }
  const text = new Decoded(bytes(), encoding);
  const chunks = text.chunks();
  try {
    const first = await chunks.next();
    if (first.done !== true) yield* parseText(first.value, chunks, text);
  } catch (error) {
    if (!(error instanceof WrongEncoding)) throw error;
    throw new Invalid({ file: [`The file is not ${error.encoding.toUpperCase()} text at line ${error.line}.`] });
  }
}

/** Makes reading abortable at any time: the stream itself would notice an abort only with the next bytes, which a pipe may never send. */
async function* readUntil(signal: AbortSignal, file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = file[Symbol.asyncIterator]();
  for (;;) {
    const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      const abort = (): void => reject(new DOMException("Reading was aborted.", "AbortError"));
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort);
      const forget = (): void => signal.removeEventListener("abort", abort);
      chunks.next().then(resolve, reject).finally(forget);
    });
    if (next.done === true) return;
    yield next.value;
  }
}

async function* parseText(first: string, rest: AsyncIterable<string>, text: Decoded): AsyncGenerator<CsvRecord> {
  const delimiter = delimiterOf(first);
  async function* whole(): AsyncGenerator<string> {
    yield first;
    yield* rest;
  }
  for await (const { end, ...record } of readRecords(whole(), delimiter)) {
    yield { ...record, bytes: Math.round(end * text.bytesPerCharacter), delimiter };
  }
}

/** Detects the delimiter: spreadsheets in many countries write semicolons. */
function delimiterOf(text: string): string {
  const [header = ""] = text.split(/[\r\n]/, 1);
  const count = (delimiter: string): number => header.replace(/"[^"]*"/g, "").split(delimiter).length;
  return delimiters.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

function toInvalid(error: unknown, path: string): unknown {
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
    case "EISDIR":
      return new Invalid({ file: [`${path} is a folder, not a file.`] });
    case "EACCES":
      return new Invalid({ file: [`${path} cannot be read: ${error.message}.`] });
    default:
      return error;
  }
}

/** Windows programs such as Outlook write a regional encoding, most often windows-1252. */
function remedyFor(encoding: string): string {
  return encoding === usualEncoding
    ? "Save it as CSV UTF-8, or name its encoding: --encoding windows-1252."
    : "Name another with --encoding.";
}
