/** Distinguishes a frozen PostgreSQL, which times out quickly, from a busy one, which is waited for. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { entities } from "../../src/entities.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { Unavailable } from "../../src/vocabulary/errors.ts";
import { openOwnPostgres } from "../faults/own-postgres.ts";
import type { OwnPostgres } from "../faults/own-postgres.ts";

const poolSize = 16;

let postgres: OwnPostgres;
let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  postgres = await openOwnPostgres();
  const place = await postgres.createPlace();
  drop = place.drop;
  database = await openDatabase(place.url, entities);
  await database.rows("create table things (id integer)");
});
afterAll(async () => {
  await database?.close();
  await drop?.();
  await postgres?.[Symbol.asyncDispose]();
});

/** The result of `work`, and its duration in milliseconds. */
async function timed(work: Promise<unknown>): Promise<{ outcome: unknown; milliseconds: number }> {
  const begun = performance.now();
  const outcome = await work.then(
    () => "done",
    (error: unknown) => error,
  );
  return { outcome, milliseconds: performance.now() - begun };
}

test("everything that waits for a frozen server times out, and leaks nothing", async () => {
  const ready = Promise.withResolvers<void>();
  const frozen = Promise.withResolvers<void>();
  const changing = timed(
    database.transaction(async ({ rows }) => {
      await rows("insert into things (id) values (?)", [1]);
      ready.resolve();
      await frozen.promise;
      await rows("insert into things (id) values (?)", [2]);
    }),
  );
  await ready.promise;
  await postgres.freeze();
  frozen.resolve();
  try {
    // More than connections: some hold one, others wait for one.
    const reading = Array.from({ length: 2 * poolSize }, () => timed(database.rows("select id from things")));
    for (const { outcome, milliseconds } of await Promise.all([changing, ...reading])) {
      expect(outcome).toBeInstanceOf(Unavailable);
      // Within five seconds, plus tolerance for a busy machine.
      expect(milliseconds).toBeLessThan(8000);
    }
  } finally {
    await postgres.thaw();
  }
  await expect.poll(() => database.rows("select id from things").catch(() => []), { timeout: 10_000 }).toEqual([]);
  // Every slot of the pool can be used again.
  const transactions = Array.from({ length: poolSize }, () => database.transaction(({ rows }) => rows("select 1")));
  await Promise.all(transactions);
});

test("a slow statement, and one that waits for a lock, do not time out", async () => {
  const held = database.transaction(async ({ rows, rowsOnce }) => {
    await rows("lock table things");
    await rowsOnce("select pg_sleep(2.5)");
  });
  await sleep(100);
  const waiting = timed(database.rows("select id from things"));
  await held;
  const { outcome, milliseconds } = await waiting;
  expect(outcome).toBe("done");
  expect(milliseconds).toBeGreaterThan(2200);
});

test("closing does not wait for a frozen server, and leaves no connection that keeps the process alive", async () => {
  const connections = (): number => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
  const place = await postgres.createPlace();
  const before = connections();
  const other = await openDatabase(place.url, entities);
  await Promise.all(Array.from({ length: 3 }, () => other.rows("select 1")));
  const stopWatching = await other.watchCommits(() => {});
  expect(connections()).toBeGreaterThanOrEqual(before + 3);
  await postgres.freeze();
  try {
    expect(await timed(Promise.all([stopWatching(), other.close()]))).toMatchObject({ outcome: "done" });
    await expect.poll(connections, { timeout: 4000 }).toBeLessThanOrEqual(before);
  } finally {
    await postgres.thaw();
    await place.drop();
  }
});
