/** What every connection to PostgreSQL is told, whatever the server, the database and the role have as their defaults. */
import type pg from "pg";

/** How long a connection may take to be told, in milliseconds: the server answers already. */
const patience = 1500;

/** After so many seconds between two statements of a change its process stands still: others get what it has locked. */
const idleChangeSeconds = 60;

/**
 * What the service depends on, but for the encoding, which the driver sees to. All else is left to the operator: `search_path`,
 * `synchronous_commit` (but for `off`), and the planner's settings (but for parallel workers).
 */
const needed = {
  // A change reads what was committed until its locks were granted.
  default_transaction_isolation: "read committed",
  // Times and numbers are read as these write them (postgres-times.ts).
  datestyle: "ISO, MDY",
  intervalstyle: "postgres",
  timezone: "UTC",
  bytea_output: "hex",
  extra_float_digits: "1",
  // MikroORM writes values into its texts; with `off` a backslash in them would end the quotation.
  standard_conforming_strings: "on",
  // No statement has a limit, and a connection may rest (ADR 16).
  statement_timeout: "0",
  transaction_timeout: "0",
  idle_session_timeout: "0",
  idle_in_transaction_session_timeout: `${idleChangeSeconds}s`,
  // Each statement has one core of the server: a filter over many contacts would take all of them, and everybody else's reads with them.
  max_parallel_workers_per_gather: "0",
  // `replica` would let rows point at nothing.
  session_replication_role: "origin",
};

/** One statement for all of it. What is so already is not set: some may be set by a superuser alone. Older servers do not know every name. */
function settingText(lockWait: number): string {
  const wanted = Object.entries({ ...needed, lock_timeout: `${lockWait}ms` }).map(
    ([name, value]) => `('${name}', '${value}')`,
  );
  return `select set_config(name, value, false) from (values ${wanted.join(", ")},
    ('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'on' else current_setting('synchronous_commit') end)
    ) as wanted (name, value)
    where current_setting(name, true) <> value`;
}

/**
 * Tells a new connection all of it. `lockWait`: after how many milliseconds a statement gives up waiting for a lock; 0 is
 * never. Set by a statement and not by the `options` of the connection's start, which poolers refuse or swallow.
 */
export async function tellSettings(client: pg.ClientBase, lockWait: number): Promise<void> {
  const { stream } = (client as pg.Client).connection;
  const cutting = setTimeout(() => stream.destroy(), patience);
  try {
    await client.query(settingText(lockWait));
  } finally {
    clearTimeout(cutting);
  }
}
