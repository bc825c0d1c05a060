/** A watcher is notified of commits by other processes, even after its connection was lost. */
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite from "better-sqlite3";
import { describe, expect, it, vi } from "vitest";
import type { Database } from "../../src/storage/database.ts";
import type { WrittenTables } from "../../src/vocabulary/written-tables.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { administrate } from "../support/postgres.ts";

async function commit(database: Database): Promise<void> {
  await database.transaction(({ rows }) => rows("update event_log set last_position = last_position + 1 where id = 1"));
}

describe.each(databaseKinds)("a watcher on %s", (kind) => {
  it("is notified of commits until it stops", async () => {
    await using fresh = await openFresh(kind);
    const other = await fresh.openAgain();
    const listener = vi.fn<() => void>();
    const stop = await fresh.database.watchCommits(listener);
    await sleep(100);
    listener.mockClear();
    await commit(other);
    await expect.poll(() => listener.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await stop();
    await sleep(50);
    listener.mockClear();
    await commit(other);
    await sleep(200);
    expect(listener).not.toHaveBeenCalled();
  });

  it("is not notified without commits", async () => {
    await using fresh = await openFresh(kind);
    const other = await fresh.openAgain();
    const listener = vi.fn<() => void>();
    const stop = await fresh.database.watchCommits(listener);
    await sleep(100);
    listener.mockClear();
    await other.rows("select last_position from event_log");
    await expect(other.transaction(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await sleep(200);
    expect(listener).not.toHaveBeenCalled();
    await stop();
  });
});

it("outlives a disk that fails for a moment, and is then notified of the commits of that time", async () => {
  await using fresh = await openFresh("sqlite");
  const { database, url } = fresh;
  const listener = vi.fn<() => void>();
  const stop = await database.watchCommits(listener);
  await commit(database);
  // The first page, which each read of the database begins with, is then in the write-ahead log.
  const other = new BetterSqlite(url.slice("sqlite:".length));
  other.exec("create table others (id integer)");
  const log = await open(`${other.name}-wal`, "r+");
  const bytes = await log.readFile();
  await log.truncate(0);
  await expect(database.rows("select last_position from event_log")).rejects.toThrow(/unavailable/);
  // Several looks.
  await sleep(100);
  expect(listener.mock.calls).toHaveLength(1);
  await log.write(bytes, 0, bytes.length, 0);
  await log.close();
  await expect.poll(() => listener.mock.calls.length, { timeout: 10_000 }).toBe(2);
  await stop();
  other.close();
});

it("says which tables a commit wrote, at once in its process and by its notification in another; a transaction may keep some to itself", async () => {
  await using fresh = await openFresh("postgres");
  const other = await fresh.openAgain();
  const [own, heard]: [string[][], string[][]] = [[], []];
  const names = (to: string[][]) => (tables: WrittenTables) => void to.push([...(tables ?? [])]);
  const stops = [await other.watchCommits(names(own)), await fresh.database.watchCommits(names(heard))];
  for (const heardOf of [own, heard]) await expect.poll(() => heardOf.length, { timeout: 10_000 }).toBe(1);
  await other.transaction(async ({ rows, send }) => {
    send("update hooks set failing_since = null where id = 0");
    await rows("update event_log set last_position = last_position where id = 1");
  });
  expect(own.at(-1)).toEqual(["hooks", "event_log"]);
  await expect.poll(() => heard.at(-1), { timeout: 10_000 }).toEqual(["hooks", "event_log"]);
  await other.transaction(async (transaction) => {
    transaction.takesFrom(["event_log"]);
    transaction.send("update event_log set last_position = last_position where id = 1");
  });
  expect(own).toHaveLength(2);
  for (const stop of stops) await stop();
});

it("reconnects after its PostgreSQL connection was killed, and checks immediately for missed commits", async () => {
  await using fresh = await openFresh("postgres");
  const other = await fresh.openAgain();
  const listener = vi.fn<() => void>();
  const stop = await fresh.database.watchCommits(listener);
  listener.mockClear();
  await administrate(
    fresh.url,
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'",
  );
  await expect.poll(() => listener.mock.calls.length, { timeout: 10_000, message: "listening again" }).toBe(1);
  await commit(other);
  await expect.poll(() => listener.mock.calls.length, { timeout: 10_000, message: "hearing again" }).toBeGreaterThan(1);
  await stop();
});
