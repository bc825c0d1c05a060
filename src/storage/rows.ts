/** What reads and compiled changes speak with a database: SQL text with `?` placeholders in, plain rows out. */
import type { SqlText } from "./sql-text.ts";

/** A value that binds on both databases. Times are Dates here and milliseconds in the rows that come back. */
export type Value = string | number | boolean | Date | null;

/** A SqlText that is empty for a database asks nothing of it and gives no rows. */
export interface Rows {
  /**
   * Runs one statement whose text is a constant of the program: it is prepared once and kept, so a text that is
   * put together from input must never come here.
   */
  rows<Row>(text: string | SqlText, params?: readonly Value[]): Promise<Row[]>;
  /** Runs a statement whose text is put together for this one call (filters, lists of ids); nothing is kept for long. */
  rowsOnce<Row>(text: string | SqlText, params?: readonly Value[]): Promise<Row[]>;
}

/** `?, ?, ?` for a list of values in a text for `rowsOnce`. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}
