/** Reads a CSV file record by record, whatever its size, and says on which line each record begins. */
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { Invalid } from "../../vocabulary/errors.ts";

export interface CsvRecord {
  /** From 1, the header line included. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Refuses, on `file`, one that cannot be read, is not UTF-8, or is no CSV; what was read before is not taken back. */
export async function* readCsvFile(path: string): AsyncGenerator<CsvRecord> {
  const file = createReadStream(path);
  try {
    const text = decode(file);
    const first = await text.next();
    if (first.done === true) return;
    yield* parseText(first.value, text);
  } catch (error) {
    throw toInvalid(error, path);
  } finally {
    file.destroy();
  }
}

async function* decode(file: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
  // Fatal: a letter that another encoding wrote would be lost without a word.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of file) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") yield text;
  }
  const rest = decoder.decode();
  if (rest !== "") yield rest;
  return undefined;
}

interface Parsed {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

async function* parseText(first: string, rest: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const parser = parse({
    delimiter: delimiterOf(first),
    record_delimiter: ["\r\n", "\n", "\r"], // files that several programs wrote have several
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
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
    yield { line: info.lines - pairs - breaks.length, cells: record };
  }
}

/** Spreadsheets of many countries write semicolons. */
function delimiterOf(text: string): string {
  const [header = ""] = text.split(/[\r\n]/, 1);
  const count = (delimiter: string): number => header.replace(/"[^"]*"/g, "").split(delimiter).length;
  return [",", ";", "\t"].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

function toInvalid(error: unknown, path: string): unknown {
  if (error instanceof CsvError) return new Invalid({ file: [`${path} is no CSV: ${error.message}`] });
  if (!(error instanceof Error && "code" in error)) return error;
  switch (error.code) {
    case "ERR_ENCODING_INVALID_ENCODED_DATA":
      return new Invalid({ file: [`${path} is not UTF-8 text. Save it as CSV UTF-8.`] });
    case "ENOENT":
      return new Invalid({ file: [`There is no file ${path}.`] });
    case "EACCES":
    case "EISDIR":
      return new Invalid({ file: [`${path} cannot be read: ${error.message}`] });
    default:
      return error;
  }
}
