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

/**
 * What a change writes with. On a database that is a journey away, what nobody waits for travels with what is asked next, and the last of
 * it with the COMMIT.
 */
export interface Writer extends Rows {
  /** Runs a statement whose rows nobody needs, a constant text as `rows` takes it. What follows finds it done; where it fails, the change fails. */
  send(text: string | SqlText, params?: readonly Value[]): void;
  /** The same for a text as `rowsOnce` takes it. */
  sendOnce(text: string | SqlText, params?: readonly Value[]): void;
  /**
   * Runs a statement, a constant text as `rows` takes it, whose rows decide nothing that the change has yet to write: it leaves as what is
   * sent does, with the COMMIT at the latest. What comes back gives the rows, and may be called after the commit.
   */
  rowsLater<Row>(text: string | SqlText, params?: readonly Value[]): () => Promise<Row[]>;
  /**
   * Asks for the ids of so many rows that will be inserted into `table`: they come with what is asked next. SQLite gives ids as it
   * inserts, and needs no asking.
   */
  reserveIds(table: string, count: number): void;
  /** As many ids of `table`, ascending, if that many were reserved; undefined: the insert will tell them. */
  takeIds(table: string, count: number): Promise<number[] | undefined>;
}

/** A `?` for a time where PostgreSQL cannot infer the type, as in the columns of a select. */
export const timeParameter: SqlText = { sqlite: "?", postgres: "cast(? as timestamptz)" };

/** The same for a whole number. */
export const integerParameter: SqlText = { sqlite: "?", postgres: "cast(? as bigint)" };

/** `?, ?, ?` for a list of values in a text for `rowsOnce`. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}
