/** PostgreSQL connections killed during changes: a clear error for each change, and an intact pool afterwards. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, it } from "vitest";
import { entities } from "../../src/entities.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { Unavailable } from "../../src/vocabulary/errors.ts";
import { openFresh } from "../support/databases.ts";
import { administrate } from "../support/postgres.ts";

const killAll =
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
const poolSize = 16;

it("fail as Unavailable while connections are killed, and leak none", { timeout: 60_000 }, async () => {
  await using fresh = await openFresh("postgres");
  const { database, url } = fresh;
  let running = true;
  let landed = 0;
  const faults: unknown[] = [];
  const changing = Array.from({ length: poolSize }, async () => {
    while (running) {
      try {
        await database.transaction(async (transaction) => {
          await transaction.rows("select last_position from event_log");
          await sleep(5);
          await transaction.rows("insert into workspaces (name, created_at) values (?, ?)", ["Acme", new Date(0)]);
        });
        landed++;
      } catch (error) {
        faults.push(error);
      }
    }
  });
  for (let round = 0; round < 20; round++) {
    await sleep(50);
    await administrate(url, killAll);
  }
  running = false;
  await Promise.all(changing);

  expect(faults.length).toBeGreaterThan(20);
  expect(faults.filter((fault) => !(fault instanceof Unavailable))).toEqual([]);
  // A commit whose response was lost may have succeeded: never fewer rows than confirmed changes.
  const [row] = await database.rows<{ count: number }>("select count(*) as count from workspaces");
  expect(row?.count).toBeGreaterThanOrEqual(landed);

  // Every slot of the pool can be used at once, so none was leaked.
  let open = 0;
  const all = Promise.withResolvers<void>();
  await Promise.all(
    Array.from({ length: poolSize }, () =>
      database.transaction(async ({ rows }) => {
        await rows("select 1");
        open++;
        if (open === poolSize) all.resolve();
        await all.promise;
      }),
    ),
  );
  expect(open).toBe(poolSize);
});

it("are not lent again, even before their sockets close", async () => {
  await using fresh = await openFresh("postgres");
  const { database } = fresh;
  for (let round = 0; round < 20; round++) {
    const ended = database.rows("select pg_terminate_backend(pg_backend_pid())");
    await expect(ended).rejects.toBeInstanceOf(Unavailable);
    expect(await database.rows("select 1 as one")).toEqual([{ one: 1 }]);
  }
});

it("leave no connection open after close, even if they were only used for reads", async () => {
  await using fresh = await openFresh("postgres");
  const { database } = fresh;
  const other = await fresh.openAgain();
  await other.rows("select 1");
  await other.close();
  const open =
    "select count(*) as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
  await expect.poll(() => database.rowsOnce(open), { timeout: 10_000 }).toEqual([{ count: 0 }]);
});

it.each([
  {
    what: "cancelled by hand",
    harm: "select pg_cancel_backend(pid) from pg_stat_activity where query = 'select pg_sleep(20)'",
  },
  { what: "held open by a process that stands still", harm: "select 1", limit: "100ms" },
])("fail as Unavailable when $what, and the next change works", async ({ harm, limit = "0" }) => {
  await using fresh = await openFresh("postgres");
  const { database, url } = fresh;
  const change = database.transaction(async ({ rows, rowsOnce }) => {
    await rowsOnce("select set_config('idle_in_transaction_session_timeout', ?, true)", [limit]);
    if (limit !== "0") await sleep(500);
    await rows("select pg_sleep(20)");
  });
  const failure = change.catch((error: unknown) => error);
  await sleep(200);
  await administrate(url, harm);
  expect(await failure).toBeInstanceOf(Unavailable);
  expect(await database.transaction(({ rows }) => rows("select 1 as one"))).toEqual([{ one: 1 }]);
});

it.each([
  {
    what: "their database has another name for a while",
    harm: (name: string) => `alter database ${name} rename to ${name}_gone`,
    cure: (name: string) => `alter database ${name}_gone rename to ${name}`,
  },
  {
    what: "their role may not log in for a while",
    harm: (name: string) => `alter role ${name} nologin`,
    cure: (name: string) => `alter role ${name} login`,
  },
])("fail as Unavailable where they are lost and $what", async ({ harm, cure }) => {
  await using fresh = await openFresh("postgres");
  const url = new URL(fresh.url);
  const name = url.pathname.slice(1);
  const server = inject("postgresUrl");
  await administrate(server, `create role ${name} login password 'secret'`);
  Object.assign(url, { username: name, password: "secret" });
  const database = await openDatabase(url.href, entities);
  try {
    expect(await database.rows("select 1 as one")).toEqual([{ one: 1 }]);
    await administrate(fresh.url, killAll);
    await administrate(server, harm(name));
    await expect(database.rows("select 1 as one")).rejects.toBeInstanceOf(Unavailable);
    await administrate(server, cure(name));
    expect(await database.rows("select 1 as one")).toEqual([{ one: 1 }]);
  } finally {
    await database.close();
    await administrate(server, `drop role ${name}`);
  }
});
