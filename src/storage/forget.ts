/** Deletes what is old in pieces: a worker that was away for a year holds up nobody's changes with all of it at once. */
import type { Rows } from "./rows.ts";

/**
 * SQL that deletes those rows of `table`, the oldest first and at most so many, whose time `column`, which an index orders, is not after the one that a `?`
 * binds, and of which `where` holds; gives `returning` of each.
 */
export function forgetText(
  table: string,
  column: string,
  { returning = "id", most = 1000, where = "true" } = {},
): string {
  return `delete from ${table} where id in
    (select id from ${table} where ${column} <= ? and ${where} order by ${column} limit ${most}) returning ${returning}`;
}

/** Runs such a statement; resolves to how many it deleted. */
export async function forget(rows: Pick<Rows, "rows">, text: string, until: Date): Promise<number> {
  return (await rows.rows(text, [until])).length;
}
