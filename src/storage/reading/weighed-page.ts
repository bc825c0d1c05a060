/** The ids of a page with the bytes of their texts, so that texts beyond the budget of an answer are never read: what an answer holds is bounded in the database. */
import { sql } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";

interface WeighedPage {
  readonly table: string;
  /** Bytes of the texts of a row, asked of the columns (octet_length) and not of the texts. */
  readonly bytes: string;
  /** Binds what it likes, and then the id that the page begins behind. */
  readonly where: string;
  readonly direction: "asc" | "desc";
}

/**
 * SQL for a table `page` of `id`, `bytes` and `bytes_so_far`, those before it included, in the order of ids; its parameters are those
 * of `where`, and how many rows.
 */
export function weighedPage({ table, bytes, where, direction }: WeighedPage): SqlText {
  return sql`(select id, bytes, sum(bytes) over (order by id ${direction}) as bytes_so_far from
    (select id, ${bytes} as bytes from ${table} where ${where} order by id ${direction} limit ?) as listed) as page`;
}

/** SQL that holds for a row of `page` whose texts are read: those within the budget, and the first one whatever it has. */
export function fitsIn(mostBytes: number): string {
  return `(page.bytes_so_far <= ${mostBytes} or page.bytes_so_far = page.bytes)`;
}
