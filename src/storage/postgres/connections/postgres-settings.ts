/** The session settings of every PostgreSQL connection, whatever the defaults of server, database and role. */
import type pg from "pg";
import { orCut } from "./postgres-patience.ts";

/** The timeout for applying them, in milliseconds: the server has already responded. */
const patience = 1500;

/** Timeout in seconds between two statements of a change, for a stalled process: its locks are released. */
const idleChangeSeconds = 60;

/**
 * The settings the service depends on, except the encoding, which the driver sets. All others are the operator's
 * choice: `search_path` (of an empty database), `synchronous_commit` (except `off`), and planner settings (except parallel workers and the kind
 * of plans).
 */
const needed = {
  // A change reads what was committed before it acquired its locks.
  default_transaction_isolation: "read committed",
  // The parsers expect these formats (postgres-times.ts).
  datestyle: "ISO, MDY",
  intervalstyle: "postgres",
  timezone: "UTC",
  bytea_output: "hex",
  extra_float_digits: "1",
  // Names of types and tables are compared as texts.
  quote_all_identifiers: "off",
  // MikroORM inlines values; with `off`, a backslash would end the quoting.
  standard_conforming_strings: "on",
  // No statement timeout, and a connection may idle (ADR 16).
  statement_timeout: "0",
  transaction_timeout: "0",
  idle_session_timeout: "0",
  idle_in_transaction_session_timeout: `${idleChangeSeconds}s`,
  // One core per statement: a filter over many contacts would otherwise take all cores and delay all other reads.
  max_parallel_workers_per_gather: "0",
  // A look-up of texts (trigram-index.ts) is planned for its texts: a generic plan would read all rows.
  plan_cache_mode: "auto",
  // Any other value lets an index leave out rows, at random.
  gin_fuzzy_search_limit: "0",
  // `replica` would disable foreign keys.
  session_replication_role: "origin",
};

/**
 * The schema with the tables comes first. Another may have been put before it since they were created, one with the name of the user, or by a
 * new `search_path`: a migration would create its tables there, and a backup would look for all of them there. It is recognized by a table
 * whose name other programs hardly have, by a function, which costs a new connection less than a query of the catalog.
 */
const searchPath = `select schema || ', ' || current_setting('search_path')
      from pg_identify_object('pg_class'::regclass, to_regclass('membership_locations'), 0)
      where schema <> quote_ident(current_schema())`;

/**
 * One statement sets all of them, except those that match already: some need a superuser. Older servers lack some
 * names.
 */
function settingText(lockWait: number): string {
  const wanted = Object.entries({ ...needed, lock_timeout: `${lockWait}ms` }).map(
    ([name, value]) => `('${name}', '${value}')`,
  );
  return `select set_config(name, value, false) from (values ${wanted.join(", ")},
    ('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'on' else current_setting('synchronous_commit') end),
    ('search_path', (${searchPath}))
    ) as wanted (name, value)
    where current_setting(name, true) <> value`;
}

/**
 * Applies the settings to a new connection. `lockWait`: the lock timeout in milliseconds; 0 is none. Set by a statement
 * rather than startup `options`, which poolers refuse or drop.
 */
export async function applySettings(client: pg.ClientBase, lockWait: number): Promise<void> {
  await orCut(client, patience, () => client.query(settingText(lockWait)));
}
