/** Every PostgreSQL connection has the settings that the service needs, whatever the defaults of the database and the role. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { entities } from "../../src/entities.ts";
import { readTables } from "../../src/storage/dump/tables.ts";
import { findInvalidIndexes, findMissingIndexes } from "../../src/storage/inspection/indexes.ts";
import { migrateDown, migrateUp, schemaState } from "../../src/storage/migrations/migrate.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { openFresh } from "../support/databases.ts";
import type { OpenedDatabase } from "../support/databases.ts";
import { oddDefaults, oddSettings } from "../support/odd-databases.ts";
import { administrate } from "../support/postgres.ts";

const needed = {
  default_transaction_isolation: "read committed",
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  TimeZone: "UTC",
  bytea_output: "hex",
  extra_float_digits: "1",
  client_encoding: "UTF8",
  standard_conforming_strings: "on",
  quote_all_identifiers: "off",
  gin_fuzzy_search_limit: "0",
  statement_timeout: "0",
  transaction_timeout: "0",
  idle_session_timeout: "0",
  idle_in_transaction_session_timeout: "1min",
  max_parallel_workers_per_gather: "0",
  plan_cache_mode: "auto",
  session_replication_role: "origin",
  lock_timeout: "200ms",
  synchronous_commit: "on",
};

const left = { search_path: "odd, public", row_security: "off" };

type Ask = <Row>(text: string) => Promise<Row[]>;

async function settingsOf(ask: Ask, names: readonly string[]): Promise<Record<string, string>> {
  const columns = names.map((name) => `current_setting('${name}') as "${name}"`).join(", ");
  const [settings] = await ask<Record<string, string>>(`select ${columns}`);
  return settings!;
}

/** A database with unusual defaults, reopened so that they apply. */
async function openOdd(defaults = oddDefaults): Promise<OpenedDatabase> {
  const fresh = await openFresh("postgres");
  await administrate(fresh.url, defaults(new URL(fresh.url).pathname.slice(1)));
  return { ...fresh, database: await fresh.openAgain() };
}

describe("a PostgreSQL connection", () => {
  let odd: OpenedDatabase;
  beforeAll(async () => {
    odd = await openOdd();
  });
  afterAll(() => odd?.[Symbol.asyncDispose]());

  it("would have different values without the service's settings", async () => {
    const client = new pg.Client(odd.url);
    await client.connect();
    const settings = await settingsOf(async (text: string) => (await client.query(text)).rows, Object.keys(needed));
    await client.end();
    const same = Object.entries(settings).filter(([name, value]) => value === needed[name as keyof typeof needed]);
    // The driver sets this one.
    expect(same).toEqual([["client_encoding", "UTF8"]]);
    expect(Object.keys(oddSettings).map((name) => name.toLowerCase())).toEqual(
      expect.arrayContaining(Object.keys(needed).map((name) => name.toLowerCase())),
    );
  });

  it.each([
    ["that reads", (names: string[]) => settingsOf(odd.database.rowsOnce, names)],
    ["that changes", (names: string[]) => odd.database.transaction(({ rowsOnce }) => settingsOf(rowsOnce, names))],
    ["that is kept in reserve", (names: string[]) => settingsOf(odd.database.reserve.rowsOnce, names)],
  ])("%s is set, and the rest is left to the operator", async (_name, read) => {
    expect(await read(Object.keys(needed))).toEqual(needed);
    expect(await read(Object.keys(left))).toEqual(left);
  });

  it("has these settings even if the URL says otherwise", async () => {
    const options = encodeURIComponent(
      "-c datestyle=german -c lock_timeout=1 -c default_transaction_isolation=serializable",
    );
    const database = await openDatabase(`${odd.url}?options=${options}`, entities);
    expect(await settingsOf(database.rowsOnce, Object.keys(needed))).toEqual(needed);
    await database.close();
  });

  it("that listens is not closed as idle", async () => {
    const listener = vi.fn<() => void>();
    const stop = await odd.database.watchCommits(listener);
    const listening = "select pid from pg_stat_activity where datname = current_database() and query like 'listen %'";
    const before = await odd.database.rowsOnce(listening);
    expect(before).toHaveLength(1);
    await sleep(2 * Number.parseInt(oddSettings["idle_session_timeout"]!, 10) * 1000);
    expect(await odd.database.rowsOnce(listening)).toEqual(before);
    await stop();
  });

  it("that waits for an advisory lock has no timeout", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const first = odd.database.exclusively("turn", () => held);
    await sleep(50);
    const second = odd.database.exclusively("turn", async () => "done");
    await sleep(2 * Number.parseInt(oddSettings["lock_timeout"]!, 10) * 1000);
    release();
    await first;
    expect(await second).toBe("done");
  });
});

it.each(["own", "Own-1"])("uses the schema %s in the search_path of the database", async (schema) => {
  await using fresh = await openFresh("postgres", { migrated: false });
  const name = new URL(fresh.url).pathname.slice(1);
  await administrate(fresh.url, `create schema "${schema}"; alter database ${name} set search_path = "${schema}"`);
  const database = await fresh.openAgain();
  await migrateUp(database);
  expect(await schemaState(database)).toMatchObject({ pending: [], unknown: [] });
  const schemas = await database.rowsOnce(
    "select distinct schemaname as name from pg_tables where tablename in ('contacts', 'events', 'schema_migrations')",
  );
  expect(schemas).toEqual([{ name: schema }]);
  expect(await findInvalidIndexes(database)).toEqual([]);
  expect((await readTables(database)).map((table) => table.name)).toContain("contacts");
});

describe("a schema that comes before that of the tables", () => {
  const schemasOf = (database: OpenedDatabase["database"], table: string) =>
    database.rowsOnce(`select schemaname as name from pg_tables where tablename = '${table}'`);

  it("takes no tables, when it was created after them", async () => {
    await using fresh = await openFresh("postgres");
    const name = new URL(fresh.url).pathname.slice(1);
    await administrate(fresh.url, `create schema "First"; alter database ${name} set search_path = "First", public`);
    const database = await fresh.openAgain();
    await migrateDown(database);
    await migrateUp(database);
    expect(await schemaState(database)).toMatchObject({ pending: [], unknown: [] });
    expect(await schemasOf(database, "schema_migrations")).toEqual([{ name: "public" }]);
    expect(await findMissingIndexes(database)).toEqual([]);
    expect((await readTables(database)).map((table) => table.name)).toContain("contacts");
  });

  it("takes the tables, though another program has migrations in the other", async () => {
    await using fresh = await openFresh("postgres", { migrated: false });
    const name = new URL(fresh.url).pathname.slice(1);
    await administrate(
      fresh.url,
      `create table schema_migrations (version text); create schema own; alter database ${name} set search_path = own, public`,
    );
    const database = await fresh.openAgain();
    await migrateUp(database);
    expect(await schemasOf(database, "contacts")).toEqual([{ name: "own" }]);
  });
});

it("synchronous_commit is left to the operator, except for off", async () => {
  await using odd = await openOdd((name) => `alter database ${name} set synchronous_commit = local`);
  expect(await settingsOf(odd.database.rowsOnce, ["synchronous_commit"])).toEqual({ synchronous_commit: "local" });
});

it("a setting that the user may not change is reported when the database is opened", async () => {
  await using odd = await openOdd();
  const user = `crm_user_${randomBytes(4).toString("hex")}`;
  await administrate(odd.url, `create role ${user} login password 'secret'`);
  const url = Object.assign(new URL(odd.url), { username: user, password: "secret" }).href;
  try {
    await expect(openDatabase(url, entities)).rejects.toThrow(
      `The PostgreSQL user ${user} lacks privileges that crm needs in the database`,
    );
  } finally {
    await administrate(odd.url, `drop role ${user}`);
  }
});
