/** Reads a CSV file record by record, whatever its size, and says where in the file each record lies. */
import { createReadStream } from "node:fs";
import { Invalid } from "../../../vocabulary/errors.ts";
import { delimiters } from "./csv-record.ts";
import { readRecords } from "./csv-records.ts";
import type { TextRecord } from "./csv-records.ts";
import { Decoded, usualEncoding, WrongEncoding } from "./csv-text.ts";

export interface CsvRecord extends Omit<TextRecord, "end"> {
  /** About how many bytes of the file lie before its end. */
  readonly bytes: number;
  /** What stands between the cells of the file. */
  readonly delimiter: string;
}

interface CsvOptions {
  /** As the WHATWG names it, such as windows-1252; a byte order mark tells UTF-16 by itself. */
  readonly encoding?: string;
  /** Ends the reading, also where nothing comes any more, with an AbortError. */
  readonly signal?: AbortSignal;
}

/**
 * The records of the file, those that are broken included. Refuses, on `file`, one that cannot be read or is not text in its
 * encoding; what was read before is not taken back.
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

/** Spreadsheets of many countries write semicolons. */
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
      return new Invalid({ file: [`${path} is a folder; what is imported is a file.`] });
    case "EACCES":
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
