/** Locks that a change holds until it ends, for what a unique index cannot guard. SQLite has one change at a time and needs none. */
import type { Writer } from "./rows.ts";
import type { SqlText } from "./sql-text.ts";

/**
 * Keys share this many locks, so that the largest batches of every connection together stay within PostgreSQL's lock
 * table (some 6,400 by default). Two keys that meet in one lock only wait for each other.
 */
const lockCount = 4096;

/** Sorted, because changes that take the same locks in different orders end in deadlocks. */
const lockText: SqlText = {
  sqlite: "",
  postgres: `select pg_advisory_xact_lock(lock)
    from (select distinct hashtextextended(value, 0) & ${lockCount - 1} as lock
          from json_array_elements_text(cast(? as json)) as listed(value) order by lock) as sorted`,
};

/**
 * Keeps every other change that asks for one of `keys` waiting. Call it once in a change, before it reads what it judges
 * by: a second call could take its locks in the wrong order.
 */
export function lockKeys(change: Writer, keys: readonly string[]): void {
  if (keys.length === 0) return;
  // A lone surrogate is no text to PostgreSQL; the driver replaces it wherever it is stored, and so does this.
  change.send(lockText, [JSON.stringify(keys.map((key) => key.toWellFormed()))]);
}

/** Ends a select whose rows of `table` must stay as they are read until the change ends. */
export function untilCommit(table: string): SqlText {
  return { sqlite: "", postgres: ` for update of ${table}` };
}

/** Ends a select that skips the rows (of `table` alone, in a join) that another change has locked, and locks the others until the change ends. */
export function skipLocked(table?: string): SqlText {
  return { sqlite: "", postgres: ` for update${table === undefined ? "" : ` of ${table}`} skip locked` };
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

/** The same for what many changes read side by side, and which none of them writes: they wait for a writer alone, and it for them. */
export function unchangedUntilCommit(table: string): SqlText {
  return { sqlite: "", postgres: ` for share of ${table}` };
}
