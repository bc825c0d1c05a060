/** A PostgreSQL that is stopped, killed, or drops its connections: 503 with Retry-After, and automatic recovery afterwards. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { chanceOf, repetitions } from "../support/chance.ts";
import { allServedAfter, patience, underLoad, writers } from "./clients-under-fault.ts";
import type { Observations } from "./clients-under-fault.ts";
import { openSystemIn } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { KeepAliveConnection } from "./keep-alive-connection.ts";
import { openOwnPostgres } from "./own-postgres.ts";
import type { OwnPostgres } from "./own-postgres.ts";
import { smallDisks } from "./small-disk.ts";
import { until } from "./until.ts";
import { expectPositions, expectInvariants } from "./invariants.ts";

const poolSize = 16;

/** Mostly SIGKILL. PostgreSQL is restarted after each. */
const stops = ["SIGKILL", "SIGQUIT", "SIGINT", "SIGKILL", "SIGKILL"] as const;
const stopRounds = repetitions(3, 20);
/** After every so many, a running server terminates every connection. */
const roundsPerCut = Math.ceil(stopRounds / 5);
const cutRounds = Math.ceil(stopRounds / roundsPerCut);

async function stopAndStart(
  postgres: OwnPostgres,
  seen: Observations,
  stop: (typeof stops)[number],
  downMilliseconds: number,
): Promise<void> {
  const moment = performance.now();
  await Promise.all([
    until(`a client gets 503 after ${stop}`, () => seen.lastRefused.some((last) => last > moment), patience),
    postgres.signal(stop).then(() => sleep(downMilliseconds)),
  ]);
  await postgres.start();
}

async function cutConnections(postgres: OwnPostgres): Promise<void> {
  for (let blow = 0; blow < 5; blow++) {
    await postgres.rows("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'crm'");
    await sleep(20);
  }
}

/** Every slot of the pool is usable: as many reads wait for a lock at once, and all succeed when it is released. */
async function expectFullPool(postgres: OwnPostgres, system: TestedSystem, url: string): Promise<void> {
  const path = `/api/v1/contacts?location_id=${system.location}&limit=1`;
  const lines = Array.from({ length: poolSize * 2 }, () => new KeepAliveConnection(url));
  const reading = await postgres.during(system.place, "lock table contacts in access exclusive mode", async () => {
    const answers = Promise.all(lines.map((line) => line.ask({ method: "GET", path, key: system.key })));
    // If the wait below fails, nothing handles the errors of connections that the end of the service closes.
    answers.catch(() => {});
    // Before the reads that wait for a connection time out.
    await until("the whole pool waits for the lock", async () => (await countReads(postgres)) === poolSize, 2500);
    return { answers };
  });
  const statuses = (await reading.answers).map(({ status }) => status);
  for (const line of lines) line.close();
  expect(statuses).toEqual(lines.map(() => 200));
}

/** Reads of the list that wait for a lock. A duty of the worker may wait for it as well. */
async function countReads(postgres: OwnPostgres): Promise<number> {
  const waiting = await postgres.rows(
    `select pid from pg_stat_activity where application_name = 'crm' and wait_event_type = 'Lock'
      and query like 'select contacts.id, contacts.name,%'`,
  );
  return waiting.length;
}

/** The workers recover by themselves. */
async function expectAllPositions(system: TestedSystem): Promise<void> {
  await until("every event has its position", async () => {
    const [waiting] = await system.rows<{ count: number }>("select count(*) as count from unstamped_events");
    return waiting!.count === 0;
  });
  await expectPositions(system);
}

test(`${stopRounds} restarts of PostgreSQL under load, and ${cutRounds} times all connections terminated`, async () => {
  const chance = chanceOf("broken PostgreSQL");
  await using postgres = await openOwnPostgres();
  await using system = await openSystemIn(await postgres.createPlace());
  const serving = await system.serve();
  const worker = system.start("worker");
  await worker.match(/crm worker running/);
  const seen = await underLoad("broken PostgreSQL", system, serving.url, async (experience) => {
    for (let round = 0; round < stopRounds; round++) {
      await sleep(100 + chance() * 100);
      // Once for longer than any timeout.
      const down = round === 1 ? 5500 : 100 + chance() * 200;
      await stopAndStart(postgres, experience, stops[round % stops.length]!, down);
      await allServedAfter(experience, performance.now());
      if (round % roundsPerCut > 0) continue;
      await cutConnections(postgres);
      await allServedAfter(experience, performance.now());
    }
  });
  expect(seen.statuses.get(503)).toBeGreaterThan(stopRounds);
  await expectInvariants(system, serving.url, seen.answered);
  await expectAllPositions(system);
  await expectFullPool(postgres, system, serving.url);

  const connectionsOf = () =>
    postgres.rows<{ state: string; query: string }>(
      "select state, query from pg_stat_activity where application_name = 'crm'",
    );
  const isListening = ({ query }: { query: string }) => query.startsWith("listen");
  await until("both processes listen again", async () => (await connectionsOf()).filter(isListening).length === 2);
  await until("nothing is being done", async () => (await connectionsOf()).every(({ state }) => state === "idle"));
  for (const ended of [await serving.terminate(), (worker.signal("SIGTERM"), await worker.finished)]) {
    expect(ended).toMatchObject({ code: 0, signal: null });
  }
  expect(await connectionsOf()).toEqual([]);
});

/** Longer than any timeout, in milliseconds. */
const longFreeze = 7000;

test("a frozen PostgreSQL: requests time out with 503, and succeed as soon as it resumes", async () => {
  await using postgres = await openOwnPostgres();
  await using system = await openSystemIn(await postgres.createPlace());
  const serving = await system.serve();
  const seen = await underLoad("frozen PostgreSQL", system, serving.url, async (experience) => {
    for (const milliseconds of [1000, longFreeze]) {
      await postgres.freeze();
      const line = new KeepAliveConnection(serving.url);
      expect(await line.ask({ method: "GET", path: "/healthz" })).toMatchObject({ status: 200 });
      if (milliseconds === longFreeze) {
        const ready = await line.ask({ method: "GET", path: "/readyz" });
        expect(ready.status).toBe(503);
        expect(ready.milliseconds).toBeLessThan(5000);
        await sleep(milliseconds - ready.milliseconds);
      } else await sleep(milliseconds);
      line.close();
      await postgres.thaw();
      await allServedAfter(experience, performance.now());
    }
  });
  expect(seen.statuses.get(503)).toBeGreaterThan(writers);
  await expectInvariants(system, serving.url, seen.answered);
  // Abandoned connections are closed on the server as well.
  const connections = await until("nothing is being done", async () => {
    const found = await postgres.rows<{ state: string }>(
      "select state from pg_stat_activity where application_name = 'crm'",
    );
    return found.every(({ state }) => state === "idle") && found;
  });
  expect(connections.length).toBeLessThanOrEqual(poolSize + 2);
  await expectFullPool(postgres, system, serving.url);
  expect(await serving.terminate()).toMatchObject({ code: 0, signal: null });
  expect(await postgres.rows("select pid from pg_stat_activity where application_name = 'crm'")).toEqual([]);
});

/** From `begin` to `end` writers get 503 with Retry-After and readers succeed; afterwards all succeed. */
async function expectReadsBetween(
  seen: Observations,
  begin: () => Promise<unknown>,
  end: (allTold: number) => Promise<unknown>,
): Promise<void> {
  const begun = performance.now();
  await begin();
  const shut = performance.now();
  await until("every writer is told", () => seen.lastRefused.slice(0, writers).every((last) => last > shut));
  const allTold = performance.now();
  await sleep(500);
  await until("every reader is served", () => seen.lastServed.slice(writers).every((last) => last > allTold));
  expect(Math.max(...seen.lastRefused.slice(writers)), "the last read that was refused").toBeLessThan(begun);
  await end(allTold);
  await allServedAfter(seen, performance.now());
}

test("a PostgreSQL that became read-only: writers get 503 with Retry-After, and readers succeed", async () => {
  await using postgres = await openOwnPostgres();
  await using system = await openSystemIn(await postgres.createPlace());
  const serving = await system.serve();
  const alter = async (change: string) => {
    await postgres.rows(`alter system ${change}`);
    await postgres.rows("select pg_reload_conf()");
  };
  const seen = await underLoad("read-only PostgreSQL", system, serving.url, (experience) =>
    expectReadsBetween(
      experience,
      () => alter("set default_transaction_read_only = on"),
      async (allTold) => {
        const lastWrite = Math.max(...experience.lastServed.slice(0, writers));
        expect(lastWrite, "the last write that was served").toBeLessThan(allTold);
        await alter("reset default_transaction_read_only");
      },
    ),
  );
  await expectInvariants(system, serving.url, seen.answered);
  await expectAllPositions(system);
  await expectFullPool(postgres, system, serving.url);
  expect(await serving.terminate()).toMatchObject({ code: 0, signal: null });
});

// Filling the disk for tables only needs a file system of their own, and the right to mount it.
const fullDisks = smallDisks.filter(({ kind }) => kind === "a full file system");
test.for(fullDisks)(
  "a PostgreSQL whose tables are on $kind: writers are told, and readers are served",
  async (full) => {
    await using disk = await full.open();
    await using postgres = await openOwnPostgres();
    await using system = await openSystemIn(await postgres.createPlace(disk.directory));
    const serving = await system.serve();
    const { pid } = serving.process;
    const seen = await underLoad("full PostgreSQL", system, serving.url, (experience) =>
      // Half-full pages still accept rows, so some writes may succeed.
      expectReadsBetween(
        experience,
        () => disk.shut(pid),
        () => disk.open(pid),
      ),
    );
    await expectInvariants(system, serving.url, seen.answered);
    await expectAllPositions(system);
    await expectFullPool(postgres, system, serving.url);
    expect(await serving.terminate()).toMatchObject({ code: 0, signal: null });
  },
);
