/**
 * Planner hints. For PostgreSQL, a transaction is kept to look-ups by its indexes, because a plan cached while a table was
 * small would scan it once it has grown.
 */
import type { SqlText } from "./sql-text.ts";
import type { Writer } from "./rows.ts";

const text: SqlText = {
  sqlite: "",
  postgres: `select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true)`,
};

/**
 * Call it first in a transaction whose statements all find their rows by an index of fast-growing tables. PostgreSQL
 * plans a prepared statement a few times and then caches a generic plan until the next analyze, a minute later or more:
 * one made while the table had a hundred rows would scan a hundred thousand, or the whole of an index, which then looks
 * cheaper than a hundred look-ups. The settings are sent with the next statement. SQLite does not need them.
 */
export function keepToLookUps(writer: Writer): void {
  writer.send(text);
}

/**
 * A table after `from` whose rows SQLite finds by this index, which must fit the statement: of two indexes that begin with the same columns, a
 * database that was never analyzed prefers the one that was created last, whatever a partial one leaves out. PostgreSQL estimates.
 */
export function byIndex(table: string, index: string, alias = table): SqlText {
  const named = alias === table ? table : `${table} as ${alias}`;
  return { sqlite: `${named} indexed by ${index}`, postgres: named };
}

/**
 * A column by which rows are judged that were found by another one, such as by ids: of a database that was never analyzed, SQLite would rather
 * read all rows of an index that begins with it.
 */
export function judged(column: string): SqlText {
  return { sqlite: `+${column}`, postgres: column };
}
