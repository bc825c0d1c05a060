/** Databases whose owners set everything otherwise: what the service depends on it has to ask for by itself. */
import BetterSqlite from "better-sqlite3";

/**
 * Defaults of an odd PostgreSQL database, every one of which a client may set for itself. Those that a change or a read
 * could stumble over are here whether or not the service sets them.
 */
export const oddSettings: Readonly<Record<string, string>> = {
  default_transaction_isolation: "repeatable read",
  default_transaction_deferrable: "on",
  datestyle: "German, DMY",
  intervalstyle: "sql_standard",
  timezone: "Asia/Kathmandu",
  client_encoding: "LATIN1",
  standard_conforming_strings: "off",
  backslash_quote: "on",
  quote_all_identifiers: "on",
  bytea_output: "escape",
  extra_float_digits: "-15",
  array_nulls: "off",
  transform_null_equals: "on",
  lc_numeric: "C",
  xmloption: "document",
  search_path: "odd, public",
  session_replication_role: "replica",
  synchronous_commit: "off",
  row_security: "off",
  statement_timeout: "1s",
  lock_timeout: "1s",
  idle_in_transaction_session_timeout: "1s",
  idle_session_timeout: "1s",
  transaction_timeout: "1s",
  max_parallel_workers_per_gather: "8",
  gin_fuzzy_search_limit: "5",
  plan_cache_mode: "force_generic_plan",
  enable_hashjoin: "off",
  enable_sort: "off",
  enable_seqscan: "off",
  join_collapse_limit: "1",
  client_min_messages: "debug1",
};

/** One statement that makes the database `name` odd. */
export function oddDefaults(name: string): string {
  return Object.entries(oddSettings)
    .map(([setting, value]) => `alter database ${name} set ${setting} = ${value.includes(",") ? value : `'${value}'`};`)
    .join("\n");
}

/** Makes the SQLite file at `path` one that another program wrote: with a rollback journal, small pages, and free ones given back. */
export function makeOdd(path: string): void {
  const database = new BetterSqlite(path);
  database.pragma("journal_mode = DELETE");
  database.pragma("page_size = 512");
  database.pragma("auto_vacuum = FULL");
  database.pragma("user_version = 77");
  database.pragma("application_id = 77");
  database.exec("vacuum");
  database.close();
}
