/** The interface for SQL: text with `?` placeholders in, plain rows out. */
import type { RoundTrips } from "./inserting/round-trips.ts";
import type { SqlText } from "./sql-text.ts";
import type { Value } from "./value.ts";

/** A SqlText that is empty for a database is skipped there and gives no rows. */
export interface Rows {
  /** Runs a statement with a constant text, which is prepared once and cached: never pass text assembled from input. */
  rows<Row>(text: string | SqlText, params?: readonly Value[]): Promise<Row[]>;
  /** Runs a statement with text assembled for this call (filters, lists of IDs); it is not cached for long. */
  rowsOnce<Row>(text: string | SqlText, params?: readonly Value[]): Promise<Row[]>;
}

/**
 * The write interface of a change. To save round trips, statements without needed results are pipelined with the next
 * query, the last of them with the COMMIT.
 */
export interface Writer extends Rows {
  /**
   * Sends a statement, a constant text as for `rows`, without its result. Later statements see its effect; if it fails,
   * the change fails.
   */
  send(text: string | SqlText, params?: readonly Value[]): void;
  /** The same for an assembled text, as for `rowsOnce`. */
  sendOnce(text: string | SqlText, params?: readonly Value[]): void;
  /** For hot paths alone (inserting/round-trips.ts). */
  readonly roundTrips: RoundTrips;
}

/** A `?` for a time where PostgreSQL cannot infer the type, as in the columns of a select. */
export const timeParameter: SqlText = { sqlite: "?", postgres: "cast(? as timestamptz)" };

/** The same for a whole number. */
export const integerParameter: SqlText = { sqlite: "?", postgres: "cast(? as bigint)" };

/** Placeholders `?, ?, ?` for a list of values in a text for `rowsOnce`. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}
