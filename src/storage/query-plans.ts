/** Keeps a transaction on PostgreSQL to its indexes: a plan that was made while a table was small would read all of it once it has grown. */
import type { SqlText } from "./sql-text.ts";
import type { Writer } from "./rows.ts";

const text: SqlText = { sqlite: "", postgres: "select set_config('enable_seqscan', 'off', true)" };

/**
 * To be called first in a transaction whose every statement finds its rows by an index, and which follows tables that grow fast.
 * PostgreSQL plans a constant text a few times and keeps the plan until the table is next analyzed, a minute later or more: one that was
 * made while the table held a hundred rows would read all of a hundred thousand. It leaves with what is asked next. SQLite needs none of it.
 */
export function keepToIndexes(writer: Writer): void {
  writer.send(text);
}

const lookUpText: SqlText = {
  sqlite: "",
  postgres: `select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true)`,
};

/**
 * The same for a transaction whose statements join: of a table that was small, an index read from one end to the other looks cheaper
 * than a hundred look-ups in it, and is not once it has grown.
 */
export function keepToLookUps(writer: Writer): void {
  writer.send(lookUpText);
}
