/** Deletes expired rows in batches: after a long downtime, the backlog must not block other changes. */
import type { Rows } from "./rows.ts";

/**
 * SQL that deletes a bounded batch of the oldest rows of `table` that match `where` and whose indexed time `column` is
 * not after the bound `?`; returns `returning` of each.
 */
export function forgetText(
  table: string,
  column: string,
  { returning = "id", most = 1000, where = "true" } = {},
): string {
  return `delete from ${table} where id in
    (select id from ${table} where ${column} <= ? and ${where} order by ${column} limit ${most}) returning ${returning}`;
}

/** Runs such a statement; resolves to the number of deleted rows. */
export async function forget(rows: Pick<Rows, "rows">, text: string, until: Date): Promise<number> {
  return (await rows.rows(text, [until])).length;
}
