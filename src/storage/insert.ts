/** Compiled inserts and updates for the hot changes: columns named once, many rows in one statement, ids back in the order sent. */
import type { Rows, Value } from "./rows.ts";

/** What a compiled statement writes. A test holds every one of these against the entity of its table. */
export interface Written<Column extends string> {
  readonly table: string;
  readonly columns: readonly Column[];
}

interface Insert<Column extends string> extends Written<Column> {
  /** The columns that stay as the database makes them: null, or their default. */
  readonly leaves: readonly string[];
}

interface Update<Column extends string> extends Written<Column> {
  readonly text: string;
}

const inserts: Insert<string>[] = [];
const updates: Update<string>[] = [];

/** Names the columns that a hot change fills, and those that it knowingly `leaves`: there is no third kind. */
export function defineInsert<const Column extends string>(
  table: string,
  columns: readonly Column[],
  { leaves = [] }: { leaves?: readonly string[] } = {},
): Insert<Column> {
  const insert = { table, columns, leaves };
  inserts.push(insert);
  return insert;
}

/** Names the columns that a hot change of one row writes. */
export function defineUpdate<const Column extends string>(table: string, columns: readonly Column[]): Update<Column> {
  const set = columns.map((column) => `"${column}" = ?`).join(", ");
  const update = { table, columns, text: `update "${table}" set ${set} where "id" = ?` };
  updates.push(update);
  return update;
}

export function definedInserts(): readonly Insert<string>[] {
  return inserts;
}

export function definedUpdates(): readonly Written<string>[] {
  return updates;
}

/** Writes all columns of `update` in the row with this id. */
export async function updateRow<Column extends string>(
  rows: Rows,
  update: Update<Column>,
  id: number,
  record: Readonly<Record<Column, Value>>,
): Promise<void> {
  await rows.rows(update.text, [...update.columns.map((column) => record[column]), id]);
}

/** Rows in one statement, so that the number of parameters stays below both databases' limits (32,766 and 65,535). */
const rowsPerStatement = 500;

/** Inserts all `records` and resolves to their ids, in the order of `records`. */
export async function insertRows<Column extends string>(
  rows: Rows,
  insert: Written<Column>,
  records: readonly Readonly<Record<Column, Value>>[],
): Promise<number[]> {
  const ids: number[] = [];
  for (let start = 0; start < records.length; start += rowsPerStatement) {
    const part = records.slice(start, start + rowsPerStatement);
    const params = part.flatMap((record) => insert.columns.map((column) => record[column]));
    const text = insertText(insert, part.length);
    const inserted =
      part.length === 1
        ? await rows.rows<{ id: number }>(text, params)
        : await rows.rowsOnce<{ id: number }>(text, params);
    // Ids are handed out in the order of VALUES, but RETURNING promises no order.
    ids.push(...inserted.map((row) => row.id).toSorted((a, b) => a - b));
  }
  return ids;
}

const singleRowTexts = new Map<Written<string>, string>();

function insertText(insert: Written<string>, count: number): string {
  const kept = count === 1 ? singleRowTexts.get(insert) : undefined;
  if (kept !== undefined) return kept;
  const row = `(${insert.columns.map(() => "?").join(", ")})`;
  const columns = insert.columns.map((column) => `"${column}"`).join(", ");
  const text = `insert into "${insert.table}" (${columns}) values ${Array.from({ length: count }, () => row).join(", ")} returning id`;
  if (count === 1) singleRowTexts.set(insert, text);
  return text;
}
