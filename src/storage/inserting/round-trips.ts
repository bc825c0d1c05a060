/**
 * Saves round trips to PostgreSQL in the few changes that are on a hot path (ADR 34, ADR 46). It promises speed alone: without it every change writes
 * the same rows, and on SQLite, which has no round trips, it does nothing.
 */
import type { Value } from "../value.ts";
import type { SqlText } from "../sql-text.ts";

export interface RoundTrips {
  /**
   * Sends a statement, a constant text as for `rows`, whose rows no later write depends on: it is pipelined, with the
   * COMMIT at the latest. The returned function gives the rows, also after the commit.
   */
  rowsLater<Row>(text: string | SqlText, params?: readonly Value[]): () => Promise<Row[]>;
  /**
   * Reserves IDs for rows to be inserted into `table`, pipelined with the next query. SQLite assigns IDs on insert and
   * reserves none.
   */
  reserveIds(table: string, count: number): void;
  /** The reserved IDs of `table`, ascending, if that many were reserved; undefined: the insert returns them. */
  takeIds(table: string, count: number): Promise<number[] | undefined>;
}
