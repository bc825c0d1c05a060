/**
 * Selects the IDs of a page with the byte sizes of their texts, so that texts beyond the budget of a response are never
 * read.
 */
import { sql } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";

interface WeighedPage {
  readonly table: string | SqlText;
  /** The byte size of a row's texts, from octet_length without reading the texts. */
  readonly bytes: string;
  /** Its own parameters first, then the ID that the page starts after. */
  readonly where: string | SqlText;
  readonly direction: "asc" | "desc";
  /** By the ID, if not given. */
  readonly order?: SqlText;
}

/**
 * SQL for a table `page` of `id`, `bytes` and the running total `bytes_so_far`, by ID; its parameters are those of
 * `where`, then the number of rows.
 */
export function weighedPage({ table, bytes, where, direction, order }: WeighedPage): SqlText {
  return sql`(select id, bytes, sum(bytes) over (order by id ${direction}) as bytes_so_far from
    (select id, ${bytes} as bytes from ${table} where ${where} order by ${order ?? `id ${direction}`} limit ?) as listed) as page`;
}

/** SQL: the texts of this row of `page` are read: within the budget, or the first row. */
export function fitsIn(mostBytes: number): string {
  return `(page.bytes_so_far <= ${mostBytes} or page.bytes_so_far = page.bytes)`;
}
