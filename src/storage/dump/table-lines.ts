/** A table as lines of JSON, one array a row, in the order of its primary key: the same lines from both databases. */
import { placeholders } from "../rows.ts";
import type { Rows } from "../rows.ts";
import type { DumpedKind, DumpedTable } from "./tables.ts";

export type DumpedValue = string | number | null;

/** Bytes of lines that a batch aims at. Rows have at most a few hundred KiB. */
const batchBytes = 1_048_576;
const fewestRows = 4;
const mostRows = 2000;

/** Batches of lines, each with its newline: keyset pagination by the primary key, with as many rows as fit by those before. */
export async function* readLines(
  rows: Rows,
  { name, columns, key }: DumpedTable,
): AsyncGenerator<{ readonly text: string; readonly count: number }> {
  const selected = columns.map((column) => `"${column.name}"`).join(", ");
  const order = key.map((column) => `"${column}"`).join(", ");
  let after: number[] = [];
  for (let most = 100; ;) {
    const rest = after.length === 0 ? "" : `where (${order}) > (${placeholders(key.length)})`;
    const found = await rows.rowsOnce<Record<string, unknown>>(
      `select ${selected} from "${name}" ${rest} order by ${order} limit ${most}`,
      after,
    );
    if (found.length === 0) return;
    const text = found.map((row) => `${JSON.stringify(columns.map((column) => dumped(row[column.name])))}\n`).join("");
    yield { text, count: found.length };
    if (found.length < most) return;
    after = key.map((column) => found.at(-1)![column] as number);
    most = Math.max(fewestRows, Math.min(mostRows, Math.floor((most * batchBytes) / text.length)));
  }
}

/** Times arrive as milliseconds from both databases. */
function dumped(value: unknown): DumpedValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new Error(`a value of the type ${typeof value} cannot be part of a backup`);
}

/** A row of a backup, as its table takes it. Throws on a value of another type. */
export function toBound(value: DumpedValue, kind: DumpedKind): string | number | boolean | null {
  if (value === null) return null;
  if (kind === "text" ? typeof value !== "string" : !Number.isSafeInteger(value))
    throw new TypeError(`${JSON.stringify(value)} is no ${kind}`);
  return kind === "boolean" ? value === 1 : value;
}
