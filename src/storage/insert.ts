/** Compiled inserts for the hot changes: many rows in one statement, columns named once, ids back in the order sent. */
import type { Rows, Value } from "./rows.ts";

export interface Insert<Column extends string> {
  readonly table: string;
  readonly columns: readonly Column[];
}

const defined: Insert<string>[] = [];

/** Names the columns that a hot change fills. A test holds every one of these against the entity of its table. */
export function defineInsert<const Column extends string>(table: string, columns: readonly Column[]): Insert<Column> {
  const insert = { table, columns };
  defined.push(insert);
  return insert;
}

export function definedInserts(): readonly Insert<string>[] {
  return defined;
}

/** Rows in one statement, so that the number of parameters stays below both databases' limits (32,766 and 65,535). */
const rowsPerStatement = 500;

/** Inserts all `records` and resolves to their ids, in the order of `records`. */
export async function insertRows<Column extends string>(
  rows: Rows,
  insert: Insert<Column>,
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

const singleRowTexts = new Map<Insert<string>, string>();

function insertText(insert: Insert<string>, count: number): string {
  const kept = count === 1 ? singleRowTexts.get(insert) : undefined;
  if (kept !== undefined) return kept;
  const row = `(${insert.columns.map(() => "?").join(", ")})`;
  const columns = insert.columns.map((column) => `"${column}"`).join(", ");
  const text = `insert into "${insert.table}" (${columns}) values ${Array.from({ length: count }, () => row).join(", ")} returning id`;
  if (count === 1) singleRowTexts.set(insert, text);
  return text;
}
