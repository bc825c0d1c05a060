/**
 * Locks held until the end of a transaction: of keys (advisory locks), for rules that no unique index can guard, and of rows. SQLite has a
 * single writer and needs none.
 */
import type { Writer } from "./rows.ts";
import type { SqlText } from "./sql-text.ts";

/**
 * Number of lock slots that keys are hashed to, so that the largest batches of all connections fit into PostgreSQL's
 * lock table (some 6,400 by default). Keys that share a slot merely wait for each other.
 */
const lockCount = 4096;

/** Sorted: taking the same locks in different orders would deadlock. */
const lockText: SqlText = {
  sqlite: "",
  postgres: `select pg_advisory_xact_lock(lock)
    from (select distinct hashtextextended(value, 0) & ${lockCount - 1} as lock
          from json_array_elements_text(cast(? as json)) as listed(value) order by lock) as sorted`,
};

/**
 * Locks `keys` against other changes. Call it once per change, before reading what depends on it: a second call could
 * acquire locks out of order.
 */
export function lockKeys(change: Writer, keys: readonly string[]): void {
  if (keys.length === 0) return;
  // PostgreSQL rejects a lone surrogate; like the driver on storing, this replaces it.
  change.send(lockText, [JSON.stringify(keys.map((key) => key.toWellFormed()))]);
}

/** Ends a select that locks its rows of `table` until the commit: other changes of them wait, and foreign keys that refer to them. */
export function forUpdate(table: string): SqlText {
  return { sqlite: "", postgres: ` for update of ${table}` };
}

/** The same, as an update locks its rows: foreign keys that refer to them do not wait. */
export function forNoKeyUpdate(table: string): SqlText {
  return { sqlite: "", postgres: ` for no key update of ${table}` };
}

/** The same as a shared lock, for rows that many changes read and none of them writes. */
export function forShare(table: string): SqlText {
  return { sqlite: "", postgres: ` for share of ${table}` };
}

/** Ends a select that skips the rows (of `table` alone, in a join) that another change has locked, and locks the others until the change ends. */
export function skipLocked(table?: string): SqlText {
  return { sqlite: "", postgres: ` for update${table === undefined ? "" : ` of ${table}`} skip locked` };
}

/** The column `version` of a table's rows, which differs after each change of a row. A change of SQLite, which has one writer, waits for no row. */
export const rowVersion: SqlText = { sqlite: "0 as version", postgres: "cast(xmin as text) as version" };

/**
 * Whether a row of `table` that a select locks has changed while it waited, after `found` had read its `version`. Such a row is as it is now,
 * and what the select joins to it as it was before.
 */
export function hasChangedSince(found: string, table: string): SqlText {
  return { sqlite: "0", postgres: `cast(${table}.xmin as text) <> ${found}.version` };
}

/**
 * SQL that locks the rows of `table` whose `column` is among `ids`, in ascending order, so that two changes that lock the same rows never
 * deadlock. To be sent before an update of several rows. SQLite has one writer, and is asked nothing.
 */
export function lockInOrder(
  table: string,
  column: string,
  ids: SqlText,
  strength: "update" | "no key update" = "update",
): SqlText {
  return {
    sqlite: "",
    postgres: `select ${column} from ${table} where ${column} in ${ids.postgres} order by ${column} for ${strength}`,
  };
}

/** An update of several rows of `table` that locks them by ascending ids first, in the same statement. */
export function updateInOrder(table: string, set: string, where: SqlText): SqlText {
  return {
    sqlite: `update ${table} set ${set} where ${where.sqlite}`,
    postgres: `update ${table} set ${set} from (select id from ${table} where ${where.postgres} order by id for update) as held
      where ${table}.id = held.id`,
  };
}
