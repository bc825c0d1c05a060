/** Locks of a foreign session: blocked changes wait for a bounded time, and other requests are not affected. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { followedContacts } from "../../src/crm/contact-texts.follower.ts";
import { followTexts } from "../../src/crm/text-index/text-index.follower.ts";
import { stampPositions } from "../../src/events/positions.ts";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import type { HttpAnswer } from "../support/client.ts";
import { givenContact } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const clients = 40;
/** A blocked request is refused within five seconds, plus tolerance for a busy machine, in milliseconds. */
const patience = 8000;
/** The median response time of other requests, and their maximum, which is below that of a request waiting for the pool. */
const unnoticed = 500;
const noticed = 3000;

interface Timed {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly milliseconds: number;
}

async function timed(answer: Promise<HttpAnswer>): Promise<Timed> {
  const begun = performance.now();
  const { status, headers } = await answer;
  return { status, retryAfter: headers.get("retry-after"), milliseconds: performance.now() - begun };
}

/** Reads sequentially until `over`. */
async function repeatUntil<Read>(over: Promise<unknown>, read: () => Promise<Read>): Promise<Read[]> {
  let isOver = false;
  void over.finally(() => (isOver = true));
  const found: Read[] = [];
  while (!isOver) {
    found.push(await read());
    await sleep(20);
  }
  return found;
}

const askUntil = (over: Promise<unknown>, ask: () => Promise<HttpAnswer>): Promise<Timed[]> =>
  repeatUntil(over, () => timed(ask()));

/** The most sessions of the database that waited for a lock at a time, until `over`. */
async function mostWaiting(session: pg.Client, over: Promise<unknown>): Promise<number> {
  const counts = await repeatUntil(over, async () => {
    const { rows } = await session.query(
      "select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return Number(rows[0].waiting);
  });
  return Math.max(...counts);
}

const sorted = (answers: readonly Timed[]): number[] =>
  answers.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
const slowest = (answers: readonly Timed[]): number => sorted(answers).at(-1) ?? 0;
const median = (answers: readonly Timed[]): number => sorted(answers)[answers.length >> 1] ?? 0;
const statuses = (answers: readonly Timed[]): number[] => [...new Set(answers.map(({ status }) => status))];

describe("while a foreign session holds", () => {
  let world: World;
  let held: number;
  let other: number;
  beforeAll(async () => {
    world = await createWorld("postgres", { quiet: true });
    held = (await givenContact(world, { email: "held@example.com" })).id;
    other = (await givenContact(world, { email: "other@example.com" })).id;
  });
  afterAll(() => world?.close());

  const send = (method: string, path: string, body: object = {}): Promise<HttpAnswer> =>
    method === "GET"
      ? world.send("owner", method, `${path}?location_id=${world.north}`)
      : world.send("owner", method, path, { location_id: world.north, ...body });
  const ready = (): Promise<HttpAnswer> => request(world.url, { method: "GET", path: "/readyz" });
  const patchHeld = (): Promise<HttpAnswer> => send("PATCH", `/contacts/${held}`, { city: "Rome" });
  const upsertHeld = (): Promise<HttpAnswer> =>
    send("POST", "/contacts/upsert", { email: "held@example.com", city: "Rome" });

  const createOnce = (): Promise<HttpAnswer> =>
    world.send(
      "owner",
      "POST",
      "/contacts",
      { location_id: world.north, first_name: "Cea", last_name: "Once" },
      { "Idempotency-Key": "held" },
    );

  /** Requests that need none of the locks: they read, update and create other contacts. */
  const others = {
    contact: () => send("GET", `/contacts/${other}`),
    change: () => send("PATCH", `/contacts/${other}`, { city: `City ${Math.random()}` }),
    creation: () => send("POST", "/contacts", { first_name: "Bea", last_name: "Next" }),
    upsert: () => send("POST", "/contacts/upsert", { email: "other@example.com", city: `City ${Math.random()}` }),
    list: () => send("GET", "/contacts"),
    locations: () => world.send("owner", "GET", "/locations"),
  };

  async function whileHeld<Result>(
    texts: readonly string[],
    work: (session: pg.Client) => Promise<Result>,
  ): Promise<Result> {
    const session = new pg.Client(world.service.settings.databaseUrl);
    await session.connect();
    try {
      await session.query("begin");
      for (const text of texts) await session.query(text);
      return await work(session);
    } finally {
      await session.end();
    }
  }

  const holds = [
    {
      what: "a row",
      texts: () => [`select 1 from contacts where id = ${held} for update`],
      blocked: patchHeld,
      unaffected: Object.values(others),
    },
    {
      what: "the lock of an e-mail address",
      texts: () => [
        `select pg_advisory_xact_lock(hashtextextended('contact email ' || location_id || ' held@example.com', 0) & 4095) from contacts limit 1`,
      ],
      blocked: upsertHeld,
      unaffected: Object.values(others),
    },
    {
      what: "a whole table",
      texts: () => ["lock table contacts"],
      blocked: patchHeld,
      unaffected: [others.locations],
    },
    {
      what: "an Idempotency-Key",
      texts: () => [
        `insert into idempotency_keys (holder, operation, key, body_hash, created_at)
         select 'key ' || id, 'POST /api/v1/contacts', 'held', '', now() from api_keys`,
      ],
      blocked: createOnce,
      refusal: "409 1",
      unaffected: Object.values(others),
    },
  ];

  it.each(sampleOf("foreign locks", 1, holds))(
    "$what, forty changes of it get 503 with Retry-After, and other requests are not affected",
    { timeout: 60_000 },
    async ({ texts, blocked, refusal = "503 1", unaffected }) => {
      const { refused, served, readiness } = await whileHeld(texts(), async () => {
        const refusing = Promise.all(Array.from({ length: clients }, () => timed(blocked())));
        const [served, readiness] = await Promise.all([
          Promise.all(unaffected.map((ask) => askUntil(refusing, ask))),
          askUntil(refusing, ready),
        ]);
        return { refused: await refusing, served: served.flat(), readiness };
      });
      expect(refused.map(({ status, retryAfter }) => `${status} ${retryAfter}`)).toEqual(
        Array.from({ length: clients }, () => refusal),
      );
      expect(slowest(refused)).toBeLessThan(patience);
      expect(statuses(served).filter((status) => status !== 200 && status !== 201)).toEqual([]);
      expect(median(served)).toBeLessThan(unnoticed);
      expect(slowest(served)).toBeLessThan(noticed);
      expect(statuses(readiness), "the database is there").toEqual([200]);
      expect(slowest(readiness)).toBeLessThan(noticed);

      const healed = await Promise.all(Array.from({ length: clients }, () => timed(blocked())));
      expect(statuses(healed), "afterwards").toEqual([blocked === createOnce ? 201 : 200]);
    },
  );

  it("what searches read, those of one key hold one connection, and other requests are not affected", async () => {
    const { database } = world.service;
    while ((await stampPositions(database)) > 0);
    for (const texts of followedContacts) while (await followTexts(database, texts));
    const search = () =>
      world.send("owner", "GET", `/conversations?location_id=${world.north}&search=held%40example.com`);
    const { held, served } = await whileHeld(["lock table text_indexes"], async (session) => {
      const searching = Promise.all(Array.from({ length: 10 }, search));
      const [held, served] = await Promise.all([mostWaiting(session, searching), askUntil(searching, others.contact)]);
      return { held, served };
    });
    expect(held).toBe(1);
    expect(statuses(served)).toEqual([200]);
    expect(slowest(served)).toBeLessThan(noticed);
    expect((await search()).status, "afterwards").toBe(200);
  });
});
