/**
 * Killed workers, concurrent workers, a PostgreSQL that restarts: no delivery is lost, and at most one duplicate arrives per kill and
 * delivery in flight. A receiver on loopback records everything.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import type { TestReceiver } from "../support/receiver.ts";
import { mostDeliveriesOfHook } from "../../src/webhooks/deliveries/hook-queue.ts";
import { chanceOf, repetitions, sampleOf } from "../support/chance.ts";
import { openSystem, openSystemIn } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { openOwnPostgres } from "./own-postgres.ts";
import { until } from "./until.ts";

const environment = { ...toLoopback, CRM_WEBHOOK_RETRY_DELAYS: "1,1,2,2" };

async function withHook(system: TestedSystem, receiver: TestReceiver): Promise<void> {
  const { code, stderr } = await system.run("hooks", "create", "--all", "--url", receiver.url);
  expect([code, stderr]).toEqual([0, ""]);
}

/** Contacts over HTTP, `count` of them one after the other. */
async function createContacts(system: TestedSystem, url: string, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const answer = await fetch(`${url}/api/v1/contacts`, {
      method: "POST",
      headers: { authorization: `Bearer ${system.key}`, "content-type": "application/json" },
      body: JSON.stringify({ location_id: system.location, first_name: "Ada", last_name: `Lovelace ${number}` }),
    });
    expect(answer.status).toBe(201);
  }
}

interface Count {
  readonly all: number;
  readonly waiting: number;
  readonly attempts: number;
}

async function look(system: TestedSystem): Promise<Count> {
  const [counted] = await system.rows<Count>(
    `select (select count(*) from deliveries) as "all",
       (select count(*) from deliveries where state in ('pending', 'delivering', 'retrying')) as waiting,
       coalesce((select max(attempt - round_start) from deliveries), 0) as attempts`,
  );
  return counted!;
}

/** The number of duplicates of each delivery. */
function tooMany({ arrivals }: TestReceiver): number {
  return arrivals.length - new Set(arrivals.map(({ id }) => id)).size;
}

async function expectNothingLost(system: TestedSystem, receiver: TestReceiver, events: number): Promise<void> {
  const isOver = ({ all, waiting }: Count): boolean => all === events && waiting === 0;
  await until("everything is delivered", async () => isOver(await look(system)), 90_000);
  const states = await system.rows("select state, count(*) as count from deliveries group by state");
  expect(states).toEqual([{ state: "delivered", count: events }]);
  expect(new Set(receiver.arrivals.map(({ id }) => id)).size).toBe(events);
  expect((await look(system)).attempts).toBeLessThanOrEqual(5);
  const bytes = Map.groupBy(receiver.arrivals, ({ id }) => id);
  for (const same of bytes.values()) expect(new Set(same.map(({ body }) => body)).size).toBe(1);
}

describe.each(sampleOf("Faults: deliveries", 1, databaseKinds))("deliveries on %s", (kind) => {
  test("a worker that is killed repeatedly, at any step, loses none", async () => {
    const chance = chanceOf(`kill -9 of a worker on ${kind}`);
    await using system = await openSystem(kind, environment);
    let slow = true;
    await using receiver = await startReceiver(() => (response) => {
      setTimeout(() => response.writeHead(200).end(), slow ? chance() * 40 : 0);
    });
    await withHook(system, receiver);
    const serving = await system.serve("--no-worker");
    await createContacts(system, serving.url, 150);
    const kills = repetitions(4, 6);
    for (let round = 0; round < kills; round++) {
      const worker = system.start("worker");
      await worker.match(/worker running/);
      await sleep(chance() * 400);
      worker.signal("SIGKILL");
      await worker.finished.catch(() => {});
    }
    slow = false;
    const last = system.start("worker");
    // It may have nothing left to do; wait until it runs before stopping it.
    await last.match(/worker running/);
    await expectNothingLost(system, receiver, 150);
    // So many are in flight to one receiver at most.
    expect(tooMany(receiver)).toBeLessThanOrEqual(kills * mostDeliveriesOfHook);
    process.stdout.write(
      `kill -9 of a worker on ${kind}: ${tooMany(receiver)} of ${receiver.arrivals.length} arrived again\n`,
    );
    last.signal("SIGTERM");
    expect((await last.finished).code).toBe(0);
  });

  test("three concurrent workers under load deliver each once; one stops in between and releases its claims", async () => {
    await using system = await openSystem(kind, environment);
    await using receiver = await startReceiver(() => (response) => {
      setTimeout(() => response.writeHead(200).end(), 5);
    });
    await withHook(system, receiver);
    const serving = await system.serve();
    const workers = [system.start("worker"), system.start("worker")];
    await Promise.all(workers.map((worker) => worker.match(/worker running/)));
    await createContacts(system, serving.url, 100);
    workers[0]!.signal("SIGTERM");
    await createContacts(system, serving.url, 100);
    expect((await workers[0]!.finished).code).toBe(0);
    await expectNothingLost(system, receiver, 200);
    expect(tooMany(receiver)).toBe(0);
  });

  test("a worker that is killed during a delivery: it is repeated immediately, with the same id", async () => {
    await using system = await openSystem(kind, environment);
    let thinks = true;
    await using receiver = await startReceiver(() => (response) => {
      if (!thinks) response.writeHead(200).end();
    });
    await withHook(system, receiver);
    const serving = await system.serve("--no-worker");
    await createContacts(system, serving.url, 1);
    const worker = system.start("worker");
    await until("it has arrived", () => receiver.arrivals.length === 1);
    worker.signal("SIGKILL");
    const killed = performance.now();
    thinks = false;
    system.start("worker");
    await until("it has arrived again", () => receiver.arrivals.length === 2, 20_000);
    // Long before its lease of twelve seconds expires: another process on the machine detects its death.
    expect(performance.now() - killed).toBeLessThan(9000);
    await expectNothingLost(system, receiver, 1);
    expect(await system.rows("select number, status, error from delivery_attempts")).toEqual([
      { number: 1, status: 200, error: null },
    ]);
  });

  test("SIGTERM waits for deliveries that finish in time, and releases the others", async () => {
    await using system = await openSystem(kind, environment);
    let thinks = true;
    await using receiver = await startReceiver((_arrival, number) => (response) => {
      if (number === 1) setTimeout(() => response.writeHead(200).end(), 1000);
      else if (!thinks) response.writeHead(200).end();
    });
    await withHook(system, receiver);
    await withHook(system, receiver);
    const serving = await system.serve("--no-worker");
    await createContacts(system, serving.url, 1);
    const worker = system.start("worker");
    await until("both have arrived", () => receiver.arrivals.length === 2);
    const begun = performance.now();
    worker.signal("SIGTERM");
    expect((await worker.finished).code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(15_000);
    const states = await system.rows<{ state: string }>("select state from deliveries order by state");
    expect(states.map(({ state }) => state)).toEqual(["delivered", "pending"]);
    thinks = false;
    system.start("worker");
    await expectNothingLost(system, receiver, 2);
  });
});

test("PostgreSQL is killed and restarted repeatedly while deliveries are in flight: none is lost", async () => {
  const chance = chanceOf("deliveries past a killed PostgreSQL");
  await using postgres = await openOwnPostgres();
  await using system = await openSystemIn(await postgres.createPlace(), environment);
  let killed = Promise.withResolvers<void>();
  // Some deliveries are under way whenever it is killed.
  await using receiver = await startReceiver((_arrival, number) => async (response) => {
    await (number % 8 === 0 ? killed.promise : sleep(100 + chance() * 200));
    response.writeHead(200).end();
  });
  await withHook(system, receiver);
  const serving = await system.serve("--no-worker");
  const worker = system.start("worker");
  await worker.match(/worker running/);
  const kills = repetitions(3, 5);
  for (let round = 0; round < kills; round++) {
    killed = Promise.withResolvers();
    await createContacts(system, serving.url, 40);
    // The worker may still wait to connect again.
    await until("some are under way", async () => (await look(system)).waiting > 0, 30_000);
    await sleep(chance() * 50);
    await postgres.signal("SIGKILL");
    killed.resolve();
    await sleep(100 + chance() * 400);
    await postgres.start();
    await until("it is served again", async () => (await fetch(`${serving.url}/readyz`)).status === 200, 30_000);
  }
  await expectNothingLost(system, receiver, kills * 40);
  expect(tooMany(receiver)).toBeLessThanOrEqual(kills * mostDeliveriesOfHook);
  process.stdout.write(`PostgreSQL killed: ${tooMany(receiver)} of ${receiver.arrivals.length} arrived again\n`);
  worker.signal("SIGTERM");
  expect((await worker.finished).code).toBe(0);
});
