/** Changes are atomic under concurrency, and a locked SQLite file makes them wait without blocking the process. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { Unavailable } from "../../src/vocabulary/errors.ts";
import { Workspace } from "../../src/tenancy/workspaces/workspace.entity.ts";
import type { Database } from "../../src/storage/database.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";

const addOne = "update event_log set last_position = last_position + 1 where id = 1";

async function count(database: Database): Promise<number | undefined> {
  const [row] = await database.rows<{ last_position: number }>("select last_position from event_log where id = 1");
  return row?.last_position;
}

describe.each(databaseKinds)("a change on %s", (kind) => {
  it("yields to the event loop before the next one", async () => {
    await using fresh = await openFresh(kind);
    let done = false;
    setImmediate(() => (done = true));
    for (let change = 0; change < 3; change++) await fresh.database.transaction(async () => {});
    expect(done).toBe(true);
  });

  it("commits beside thirty-one others, half of them through another connection", async () => {
    await using fresh = await openFresh(kind);
    const databases = [fresh.database, await fresh.openAgain()];
    const changes = Array.from({ length: 32 }, (_, index) =>
      databases[index % 2]!.transaction(({ rows }) => rows(addOne)),
    );
    await Promise.all(changes);
    expect(await count(fresh.database)).toBe(32);
  });

  it("does not send an empty statement", async () => {
    await using fresh = await openFresh(kind);
    const text = { sqlite: "", postgres: "", [kind]: "select cast(? as integer) as one" };
    const others = { ...text, [kind]: "" };
    const { rows, rowsOnce } = fresh.database;
    expect(await Promise.all([rows(text, [1]), rowsOnce(text, [1])])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    expect(await Promise.all([rows(others, [1]), rowsOnce(others, [1])])).toEqual([[], []]);
  });

  it("is rolled back when it fails, and the next one works", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    const failing = database.transaction(async (transaction) => {
      await transaction.rows(addOne);
      transaction.em.create(Workspace, { name: "Acme", createdAt: new Date(0) });
      await transaction.em.flush();
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    expect(await count(database)).toBe(0);
    expect(await database.rows("select id from workspaces")).toEqual([]);
    await database.transaction(({ rows }) => rows(addOne));
    expect(await count(database)).toBe(1);
  });

  it("reads its own writes, through entities and rows, while others do not see them yet", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    await database.transaction(async (transaction) => {
      const { em, rows } = transaction;
      em.create(Workspace, { name: "Acme", createdAt: new Date(0) });
      await em.flush();
      await rows(addOne);
      expect(await rows("select name from workspaces")).toEqual([{ name: "Acme" }]);
      expect(await database.rows("select name from workspaces")).toEqual([]);
      expect(transaction.em, "one EntityManager for the whole change").toBe(em);
    });
    expect(await database.rows("select name from workspaces")).toEqual([{ name: "Acme" }]);
  });
});

/** Keeps a change open until it is released, like a slow process. */
async function hold(database: Database): Promise<{ release(): Promise<void> }> {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const change = database.transaction(async ({ rows }) => {
    await rows(addOne);
    begun.resolve();
    await released.promise;
  });
  // Releases it even if the test fails earlier.
  onTestFinished(() => released.resolve());
  await begun.promise;
  return {
    async release() {
      released.resolve();
      await change;
    },
  };
}

describe("SQLite", () => {
  it("is opened with durable commits and foreign key enforcement", async () => {
    await using fresh = await openFresh("sqlite");
    const pragmas = await fresh.database.transaction(async ({ rows }) => ({
      ...(await rows<object>("pragma journal_mode"))[0],
      ...(await rows<object>("pragma synchronous"))[0],
      ...(await rows<object>("pragma foreign_keys"))[0],
      ...(await rows<object>("pragma busy_timeout"))[0],
    }));
    expect(pragmas).toEqual({ journal_mode: "wal", synchronous: 2, foreign_keys: 1, timeout: 0 });
  });

  it("refuses a write outside a change", async () => {
    await using fresh = await openFresh("sqlite");
    await expect(fresh.database.rows(addOne)).rejects.toThrow("readonly database");
  });

  it("lets a change write after reading, while another process is waiting to write", async () => {
    await using fresh = await openFresh("sqlite");
    const other = await fresh.openAgain();
    let theirs: Promise<unknown> | undefined;
    await fresh.database.transaction(async ({ rows }) => {
      await rows("select last_position from event_log");
      theirs = other.transaction((transaction) => transaction.rows(addOne));
      await sleep(50);
      await rows(addOne);
    });
    await theirs;
    expect(await count(fresh.database)).toBe(2);
  });

  it("fails as Unavailable when another process locks the file too long, without blocking this one, and recovers", async () => {
    await using fresh = await openFresh("sqlite");
    const { database } = fresh;
    const holder = await fresh.openAgain();
    const holding = await hold(holder);

    const stalls = monitorEventLoopDelay({ resolution: 5 });
    stalls.enable();
    const begun = performance.now();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => database.transaction(({ rows }) => rows(addOne))),
    );
    const waited = performance.now() - begun;
    stalls.disable();

    expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason instanceof Unavailable)).toEqual(
      Array.from({ length: 8 }, () => true),
    );
    // Queued changes waited the same four seconds, not four each.
    expect(waited).toBeGreaterThan(3500);
    expect(waited).toBeLessThan(8000);
    expect(stalls.percentile(99) / 1e6, "a driver that waits would stop the process for seconds").toBeLessThan(500);
    expect(await count(database), "reads go on").toBe(0);

    await holding.release();
    await database.transaction(({ rows }) => rows(addOne));
    expect(await count(database)).toBe(2);
  });
});
