/**
 * Reserves the IDs of the rows that an operation inserts while its credential is looked up, which saves PostgreSQL a round trip (ADR 46). An
 * optimization only: an operation without it inserts the same rows.
 */
import type { AnyOperation } from "./operation.ts";

const tables = new WeakMap<AnyOperation, readonly string[]>();

const none: readonly string[] = [];

/** `operation`, with the tables into which it usually inserts one row each. */
export function withIdsAhead<Declared extends AnyOperation>(
  inserted: readonly string[],
  operation: Declared,
): Declared {
  tables.set(operation, inserted);
  return operation;
}

/** The tables for each of which one ID is reserved. */
export function tablesAheadOf(operation: AnyOperation): readonly string[] {
  return tables.get(operation) ?? none;
}
