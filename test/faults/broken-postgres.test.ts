/** A PostgreSQL that is stopped, killed or cuts its connections: 503 and when to come back, and all is well by itself afterwards. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { chanceOf } from "./chance.ts";
import { openGroundIn } from "./ground.ts";
import type { Ground } from "./ground.ts";
import { Line } from "./line.ts";
import type { Asked } from "./line.ts";
import { openOwnPostgres } from "./own-postgres.ts";
import type { OwnPostgres } from "./own-postgres.ts";
import { until } from "./until.ts";
import { expectPositions, expectWhole } from "./wholeness.ts";

const writers = 16;
const readers = 8;
const poolSize = 16;
/** An answer comes within so many milliseconds, whatever the database does. */
const patience = 5000;

const faults = ["terminate", "SIGINT", "terminate", "SIGQUIT", "terminate", "SIGKILL"] as const;
const rounds = 20;

/** What the clients saw, and the last moment at which each of them was served. */
class Experience {
  readonly answered = new Map<string, number>();
  readonly statuses = new Map<number, number>();
  readonly wrong: unknown[] = [];
  slowest = 0;
  readonly lastServed: number[] = Array.from({ length: writers + readers }, () => 0);
  stopped = false;
}

async function askOn(url: string, client: number, seen: Experience, next: () => Asked): Promise<void> {
  const line = new Line(url);
  while (!seen.stopped) {
    const asked = next();
    const { status, headers, body, milliseconds } = await line.ask(asked);
    seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
    seen.slowest = Math.max(seen.slowest, milliseconds);
    if (status === 503) {
      const told = { retryAfter: headers["retry-after"], error: body.error };
      if (told.retryAfter !== "1" || told.error !== "unavailable") seen.wrong.push(told);
      await sleep(100);
    } else if (status === (asked.method === "POST" ? 201 : 200)) {
      if (status === 201) seen.answered.set(body.email, body.id);
      seen.lastServed[client] = performance.now();
      await sleep(5);
    } else seen.wrong.push({ status, body });
  }
  line.close();
}

function startLoad(ground: Ground, url: string, seen: Experience): Promise<unknown> {
  const { key, location } = ground;
  return Promise.all(
    Array.from({ length: writers + readers }, (_, client) => {
      let serial = 0;
      return askOn(url, client, seen, () => {
        serial += 1;
        const email = `c${client}.${serial}@example.com`;
        return client < writers
          ? {
              method: "POST",
              path: "/api/v1/contacts",
              key,
              body: { location_id: location, first_name: "Pat", last_name: "", email },
            }
          : { method: "GET", path: `/api/v1/contacts?location_id=${location}&email=c0.1@example.com`, key };
      });
    }),
  );
}

async function breakIt(postgres: OwnPostgres, fault: (typeof faults)[number], downMilliseconds: number): Promise<void> {
  if (fault === "terminate") {
    for (let blow = 0; blow < 5; blow++) {
      await postgres.rows("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'crm'");
      await sleep(downMilliseconds / 20);
    }
    return;
  }
  await postgres.signal(fault);
  await sleep(downMilliseconds);
  await postgres.start();
}

test(`${rounds} times under load, PostgreSQL goes and comes back`, async () => {
  const chance = chanceOf("broken PostgreSQL");
  await using postgres = await openOwnPostgres();
  await using ground = await openGroundIn(await postgres.createPlace());
  const serving = await ground.serve();
  const worker = ground.start("worker");
  await worker.match(/crm worker running/);
  const seen = new Experience();
  const load = startLoad(ground, serving.url, seen);
  try {
    for (let round = 0; round < rounds; round++) {
      await sleep(200);
      // Once for longer than anybody waits.
      await breakIt(postgres, faults[round % faults.length]!, round === 3 ? 7000 : 100 + chance() * 900);
      const back = performance.now();
      await until("everybody is served again", () => seen.lastServed.every((moment) => moment > back));
    }
  } finally {
    seen.stopped = true;
    await load;
    process.stdout.write(
      `broken PostgreSQL: ${JSON.stringify([...seen.statuses])}, slowest ${Math.round(seen.slowest)} ms\n`,
    );
  }

  expect(seen.wrong).toEqual([]);
  expect(seen.statuses.get(503)).toBeGreaterThan(rounds);
  expect(seen.slowest).toBeLessThan(patience);
  await expectWhole(ground, serving.url, seen.answered);

  // The workers go on by themselves, the one inside and the one beside.
  await until("every event has its position", async () => {
    const [waiting] = await ground.rows<{ count: number }>(
      "select count(*) as count from events where position is null",
    );
    return waiting!.count === 0;
  });
  await expectPositions(ground);

  // As many at once as the pool has connections, each of which must be to be had.
  const lines = Array.from({ length: poolSize * 4 }, () => new Line(serving.url));
  const path = `/api/v1/contacts?location_id=${ground.location}`;
  const answers = await Promise.all(lines.map((line) => line.ask({ method: "GET", path, key: ground.key })));
  for (const line of lines) line.close();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));

  const connectionsOf = () =>
    postgres.rows<{ state: string; query: string }>(
      "select state, query from pg_stat_activity where application_name = 'crm'",
    );
  const isListening = ({ query }: { query: string }) => query.startsWith("listen");
  await until("both processes listen again", async () => (await connectionsOf()).filter(isListening).length === 2);
  const connections = await until("nothing is being done", async () => {
    const found = await connectionsOf();
    return found.every(({ state }) => state === "idle") && found;
  });
  expect(connections.length).toBeLessThanOrEqual(2 * poolSize + 2);
  for (const ended of [await serving.terminate(), (worker.signal("SIGTERM"), await worker.finished)]) {
    expect(ended).toMatchObject({ code: 0, signal: null });
  }
  expect(await postgres.rows("select pid from pg_stat_activity where application_name = 'crm'")).toEqual([]);
});

test("a PostgreSQL that stands still answers nobody: they are told so in time, and served as soon as it goes on", async () => {
  await using postgres = await openOwnPostgres();
  await using ground = await openGroundIn(await postgres.createPlace());
  const serving = await ground.serve();
  const seen = new Experience();
  const load = startLoad(ground, serving.url, seen);
  const everybodyServedAfter = (moment: number) =>
    until("everybody is served", () => seen.lastServed.every((last) => last > moment));
  try {
    await everybodyServedAfter(0);
    for (const milliseconds of [1000, 7000]) {
      await postgres.freeze();
      const line = new Line(serving.url);
      expect(await line.ask({ method: "GET", path: "/healthz" })).toMatchObject({ status: 200 });
      if (milliseconds > patience) {
        const ready = await line.ask({ method: "GET", path: "/readyz" });
        expect(ready.status).toBe(503);
        expect(ready.milliseconds).toBeLessThan(patience);
        await sleep(milliseconds - ready.milliseconds);
      } else await sleep(milliseconds);
      line.close();
      await postgres.thaw();
      await everybodyServedAfter(performance.now());
    }
  } finally {
    seen.stopped = true;
    await load;
    process.stdout.write(
      `frozen PostgreSQL: ${JSON.stringify([...seen.statuses])}, slowest ${Math.round(seen.slowest)} ms\n`,
    );
  }
  expect(seen.wrong).toEqual([]);
  expect(seen.statuses.get(503)).toBeGreaterThan(writers);
  expect(seen.slowest).toBeLessThan(patience);
  await expectWhole(ground, serving.url, seen.answered);
  // Connections that were given up are gone from the server as well.
  const connections = await until("nothing is being done", async () => {
    const found = await postgres.rows<{ state: string }>(
      "select state from pg_stat_activity where application_name = 'crm'",
    );
    return found.every(({ state }) => state === "idle") && found;
  });
  expect(connections.length).toBeLessThanOrEqual(poolSize + 2);
  expect(await serving.terminate()).toMatchObject({ code: 0, signal: null });
  expect(await postgres.rows("select pid from pg_stat_activity where application_name = 'crm'")).toEqual([]);
});
