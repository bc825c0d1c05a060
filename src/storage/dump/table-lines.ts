/** A table as lines of JSON, one array a row, in the order of its primary key: the same bytes from both databases, which write them themselves. */
import { placeholders } from "../rows.ts";
import type { Rows } from "../rows.ts";
import type { SqlText } from "../sql-text.ts";
import type { DumpedColumn, DumpedKind, DumpedTable } from "./tables.ts";

export type DumpedValue = string | number | null;

/** Bytes of lines that a batch aims at. Rows have at most a few hundred KiB. */
const batchBytes = 1_048_576;
const fewestRows = 4;
const mostRows = 2000;
/** The next rows may be larger than those before: a larger batch is divided, so that a restore reads it in pieces, too. */
const largestBytes = 8 * batchBytes;

/** Lines, each with its newline. */
export interface LineBatch {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Whether the memory of `bytes` holds nothing else; it is not read again. */
  readonly isOwn: boolean;
}

/** One from SQLite; from PostgreSQL several. */
interface DumpedPiece {
  /** PostgreSQL sends a text; null if there are no rows. */
  readonly lines: Uint8Array | string | null;
  readonly count: number;
}

/**
 * Of a page of PostgreSQL: its driver doubles its buffer until a value fits, and V8 collects short strings often, which takes their buffers along.
 */
const piecesOfPage = 16;

/** Batches of lines: keyset pagination by the primary key, with as many rows as fit by those before. */
export async function* readLines(rows: Rows, table: DumpedTable): AsyncGenerator<LineBatch> {
  const places = table.key.map((key) => table.columns.findIndex(({ name }) => name === key));
  let after: number[] = [];
  for (let most = 100; ;) {
    const pieces = await rows.rowsOnce<DumpedPiece>(pageText(table, { isFirst: after.length === 0, most }), after);
    const bytes = joined(pieces.flatMap(({ lines }) => lines ?? []));
    const count = pieces.reduce((sum, piece) => sum + Number(piece.count), 0);
    if (count === 0) return;
    const last = JSON.parse(decoder.decode(lastLine(bytes))) as number[];
    after = places.map((place) => last[place]!);
    const next = Math.max(fewestRows, Math.min(mostRows, Math.floor((most * batchBytes) / bytes.length)));
    if (bytes.length <= largestBytes) yield { bytes, count, isOwn: bytes.length === bytes.buffer.byteLength };
    else yield* divided(bytes);
    if (count < most) return;
    most = next;
  }
}

/** Texts become bytes of their own, which can be freed alone. */
function joined(pieces: readonly (Uint8Array | string)[]): Uint8Array {
  const [first] = pieces;
  if (pieces.length === 1 && first instanceof Uint8Array) return first;
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let end = 0;
  for (const piece of pieces) end += typeof piece === "string" ? bytes.write(piece, end) : 0;
  return bytes;
}

function* divided(bytes: Uint8Array): Generator<LineBatch> {
  for (let start = 0; start < bytes.length;) {
    const { end, count } = findWholeLines(bytes, start);
    yield { bytes: bytes.subarray(start, end), count, isOwn: false };
    start = end;
  }
}

/** As many as fit, or one. */
function findWholeLines(bytes: Uint8Array, start: number): { readonly end: number; readonly count: number } {
  let end = bytes.indexOf(newline, start) + 1;
  for (let count = 1; ; count++) {
    const next = bytes.indexOf(newline, end) + 1;
    if (next === 0 || next - start > largestBytes) return { end, count };
    end = next;
  }
}

const decoder = new TextDecoder();

function lastLine(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(bytes.lastIndexOf(newline, -2) + 1);
}

const newline = 0x0a;

/** A page of lines as one value: its rows never become objects of this program. */
function pageText(
  { name, columns, key }: DumpedTable,
  { isFirst, most }: { readonly isFirst: boolean; readonly most: number },
): SqlText {
  const order = key.map(quoted).join(", ");
  const rest = isFirst ? "" : `where (${order}) > (${placeholders(key.length)})`;
  const page = (columns: string): string =>
    `(select ${order}, ${columns} from "${name}" ${rest} order by ${order} limit ${most}) as page`;
  const rowsOfPiece = Math.ceil(most / piecesOfPage);
  const names = columns.map((column) => quoted(column.name)).join(", ");
  return {
    sqlite: `select cast(group_concat(dumped_line, char(10) order by ${order}) || char(10) as blob) as lines, count(*) as count
      from ${page(`json_array(${names}) as dumped_line`)}`,
    postgres: `select string_agg(dumped_line, '' order by ${order}) as lines, count(*) as count
      from ${page(`${postgresLine(columns)} as dumped_line, (row_number() over (order by ${order}) - 1) / ${rowsOfPiece} as dumped_piece`)}
      group by dumped_piece order by dumped_piece`,
  };
}

/** How PostgreSQL writes a value as `JSON.stringify` does. */
const postgresValues: Readonly<Record<DumpedKind, (column: string) => string>> = {
  integer: (column) => `cast(${column} as text)`,
  boolean: (column) => `case when ${column} then '1' else '0' end`,
  // Milliseconds since 1970.
  time: (column) => `cast(cast(extract(epoch from ${column}) * 1000 as bigint) as text)`,
  text: (column) => `cast(to_json(${column}) as text)`,
};

/** A call has at most a hundred arguments. */
const mostArguments = 90;

function postgresLine(columns: readonly DumpedColumn[]): string {
  const values = columns.map(
    ({ name, kind }) => `case when ${quoted(name)} is null then 'null' else ${postgresValues[kind](quoted(name))} end`,
  );
  const groups: string[] = [];
  for (let from = 0; from < values.length; from += mostArguments)
    groups.push(`concat_ws(',', ${values.slice(from, from + mostArguments).join(", ")})`);
  return `concat('[', ${groups.join(", ',', ")}, ']', chr(10))`;
}

function quoted(name: string): string {
  return `"${name}"`;
}

/** A row of a backup, as its table takes it. Throws on a value of another type. */
export function toBound(value: DumpedValue, kind: DumpedKind): string | number | boolean | null {
  if (value === null) return null;
  if (kind === "text" ? typeof value !== "string" : !Number.isSafeInteger(value))
    throw new TypeError(`${JSON.stringify(value)} is no ${kind}`);
  return kind === "boolean" ? value === 1 : value;
}
