/** The live streams of work pages: over two servers on one database, with limits, access and missed events. */
import { createConsola } from "consola";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createContact } from "../../src/crm/contacts/contact.operations.ts";
import { createLiveHub, liveLimits } from "../../src/pages/live/live-hub.ts";
import { findLogEnds } from "../../src/pages/live/log-changes.ts";
import { startServer } from "../../src/server.ts";
import type { Server } from "../../src/server.ts";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import type { Database } from "../../src/storage/database.ts";
import { hashSecret, mintSecret } from "../../src/kit/secrets/secret.ts";
import { sendTest } from "../../src/webhooks/deliveries/delivery.service.ts";
import { registerHook } from "../../src/webhooks/hooks/hook.service.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { someEvent, stampAll } from "../support/events.ts";
import { openLive } from "../support/live-stream.ts";
import type { LiveClient } from "../support/live-stream.ts";
import { givenPasswords } from "../support/marketplace.ts";
import { createPerson } from "../support/person.ts";
import type { Person } from "../support/person.ts";
import { toLoopback, startReceiver } from "../support/receiver.ts";
import type { TestReceiver } from "../support/receiver.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** What happens is seen within this time, in milliseconds. */
const soon = 1000;
/** For what a busy machine may delay. */
const patience = 15_000;

describe.each(sampleOf("live pages", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let other: Service;
  let server: Server;
  let receiver: TestReceiver;
  let olga: Person;
  let nora: Person;
  let otto: Person;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback });
    await givenPasswords(world);
    receiver = await startReceiver();
    // The other process: it has a worker, and beats often.
    const log = createConsola({ level: 1 });
    other = await openService(world.service.settings, { log, clock: world.clock });
    await other.worker.start();
    server = await startServer(
      { ...world.service.settings, port: 0 },
      { version: "0.0.0", log, patience: { look: 5 }, liveTimes: { beat: 100 } },
      other,
    );
    [olga, nora, otto] = [createPerson(world.url), createPerson(world.url), createPerson(world.url)];
    await olga.signIn("olga@acme.example");
    await nora.signIn("nora@acme.example");
    await otto.signIn("otto@other.example");
  });
  afterAll(async () => {
    await server?.close();
    await other?.worker.stop();
    await other?.close();
    await receiver?.[Symbol.asyncDispose]();
    await world?.close();
  });

  const urls = () => [world.url, server.url] as const;
  const ofNorth = () => `/l/${world.north}/live`;

  async function addContact(service: Service, location = world.north): Promise<number> {
    const caller = await service.inLocation(location === world.foreign ? world.other : world.acme, location);
    const input = { first_name: "Ada", last_name: "Lovelace" } as never;
    return (await service.carryOut(createContact, caller, { input })).id;
  }

  test("a change in either process is seen on the streams of both within a second, of its location alone", async () => {
    await using here = await openLive(urls()[0], ofNorth(), olga);
    await using there = await openLive(urls()[1], ofNorth(), nora);
    await using elsewhere = await openLive(urls()[0], `/l/${world.foreign}/live`, otto);
    expect([here.status, there.status, elsewhere.status]).toEqual([200, 200, 200]);
    for (const service of [world.service, other]) {
      const begun = performance.now();
      const id = await addContact(service);
      const message = new RegExp(`id: \\d+\nevent: contact\ndata: ${id}\n\n`);
      await Promise.all([here.until(message, patience), there.until(message, patience)]);
      // The machine of the tests is shared: the time itself is measured once, over both processes.
      expect(performance.now() - begun).toBeLessThan(soon * 2);
    }
    expect(elsewhere.received()).not.toContain("event: contact");
    expect(here.received()).toMatch(/^retry: \d{4}\n/);
    expect(here.received()).not.toContain("Ada");
  });

  test("a webhook's stream names it when it has a delivery, and when the delivery ends", async () => {
    const acme = world.service.inWorkspace(world.acme);
    const hook = await acme.change((change) => registerHook(change, { events: null, targetUrl: receiver.url }));
    await using stream = await openLive(urls()[0], `/w/${world.acme}/live`, olga);
    await using elsewhere = await openLive(urls()[0], `/w/${world.other}/live`, otto);
    await stream.until(/event: ready/);
    const { id } = await acme.change((change) => sendTest(change, hook.id));
    await stream.until(new RegExp(`event: hook\ndata: ${hook.id}\n`), patience);
    await expect
      .poll(async () => (await olga.get(`/w/${world.acme}/deliveries/${id}`)).text, { timeout: patience })
      .toContain("Delivered");
    const before = stream.received().length;
    await acme.change((change) => sendTest(change, hook.id));
    await expect
      .poll(() => stream.received().slice(before), { timeout: patience })
      .toContain(`event: hook\ndata: ${hook.id}\n`);
    expect(elsewhere.received()).not.toContain("event: hook");
  });

  test("a run and its workflow are named", async () => {
    await using stream = await openLive(urls()[0], ofNorth(), nora);
    const contact = await addContact(world.service);
    const workflow = await givenWorkflow(world, { listen: { type: "wait", reply: true } as never });
    const run = await givenRun(world, workflow, contact);
    const text = await stream.until(/event: workflow/, patience);
    expect(text).toContain(`event: run\ndata: ${run}\n`);
    expect(text).toContain(`event: workflow\ndata: ${workflow}\n`);
  });

  test("a run that goes from timer to timer, without an event, is named with its workflow", async () => {
    const contact = await addContact(world.service);
    const workflow = await givenWorkflow(world, {
      first: { type: "wait", for: "1h", next: "second" },
      second: { type: "wait", for: "1h" },
    } as never);
    const run = await givenRun(world, workflow, contact);
    await expect.poll(async () => (await runOf(world, run)).wait_reason, { timeout: patience }).toBe("delay");
    await using stream = await openLive(urls()[0], ofNorth(), nora);
    // Events are sent in order: after this one, the enrollment's is not still to come.
    await stream.until(new RegExp(`data: ${await addContact(other)}\n`), patience);
    const before = stream.received().length;
    world.clock.advance({ hours: 1 });
    other.worker.wake();
    await expect.poll(async () => (await runOf(world, run)).current_node_id, { timeout: patience }).toBe("second");
    await expect
      .poll(() => stream.received().slice(before), { timeout: patience })
      // Beside those of other tests that move by the same clock.
      .toMatch(new RegExp(`event: run\ndata: ${run}\n[^]*event: workflow\ndata: ${workflow}\n`));
  });

  describe("access is that of pages", () => {
    test.each([
      ["without a session: sign-in", () => createPerson(world.url), () => ofNorth(), 303],
      ["a foreign location: not found", () => olga, () => `/l/${world.foreign}/live`, 404],
      ["a location out of reach: not found", () => nora, () => `/l/${world.south}/live`, 404],
      ["a foreign workspace: not found", () => otto, () => `/w/${world.acme}/live`, 404],
      ["a member in the workspace: forbidden", () => nora, () => `/w/${world.acme}/live`, 403],
    ])("%s", async (_what, person, path, status) => {
      await using stream = await openLive(urls()[0], path(), person());
      expect(stream.status).toBe(status);
    });

    test.each([
      ["the session ends", async (person: Person) => void (await signOut(person))],
      [
        "the membership loses the location",
        async () => {
          await world.service.database.transaction(({ rows }) =>
            rows("delete from membership_locations where location_id = ?", [world.north]),
          );
        },
      ],
    ])("a stream ends when %s", async (_what, end) => {
      const person = createPerson(world.url);
      await person.signIn("nora@acme.example");
      await using stream = await openLive(urls()[1], ofNorth(), person);
      await stream.until(/^:$/m);
      await end(person);
      await stream.ended();
    });

    /** At the server that beats often. */
    async function signOut(person: Person): Promise<void> {
      const { text } = await person.get("/me");
      const token = /name="form_token" value="([^"]+)"/.exec(text)![1]!;
      expect((await person.post("/sign-out", { form_token: token })).status).toBe(303);
    }
  });

  test("a reconnect to another process continues where the first one ended; too far behind, the page is loaded again", async () => {
    const first = await openLive(urls()[0], ofNorth(), olga);
    const seen = /id: (\d+)/.exec(await first.until(/event: ready/))![1]!;
    await first[Symbol.asyncDispose]();
    const id = await addContact(world.service);
    await using next = await openLive(urls()[1], ofNorth(), olga, { "last-event-id": seen });
    await next.until(new RegExp(`event: contact\ndata: ${id}\n`), patience);
    // Beyond 500 missed events, and behind pruned payloads.
    const caller = await world.service.inLocation(world.acme, world.north);
    await caller.change((change) => change.record(...Array.from({ length: 501 }, () => someEvent)));
    await stampAll(world.service.database);
    // The other process has read them all: what it sends from here on is not of the past.
    const { last_position: last } = await findLogEnds(world.service.database);
    const reached = () => Math.max(...[...next.received().matchAll(/id: (\d+)/g)].map(([, id]) => Number(id)));
    await expect.poll(reached, { timeout: patience }).toBeGreaterThanOrEqual(last);
    await using behind = await openLive(urls()[0], ofNorth(), olga, { "last-event-id": seen });
    expect(await behind.until(/event: reload/)).not.toContain("event: contact");
    await other.database.transaction(({ rows }) => rows("update event_log set forgotten_position = ?", [seen]));
    await using after = await openLive(urls()[1], `${ofNorth()}?after=${Number(seen) - 1}`, olga);
    expect(await after.until(/event: reload/)).not.toContain("event: contact");
  });

  test("a stream that is opened while the follower of the one before stops misses nothing", async () => {
    const { database, log } = world.service;
    const [stopping, mayStop] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    /** As on a slow connection. */
    const watchCommits: Database["watchCommits"] = async (listener) => {
      const stop = await database.watchCommits(listener);
      return async () => {
        stopping.resolve();
        await mayStop.promise;
        await stop();
      };
    };
    const slow = Object.assign(Object.create(database) as Database, { watchCommits });
    const hub = createLiveHub({ database: slow, log, times: { gather: 1, compare: 1 } });
    await using _ = { [Symbol.asyncDispose]: hub.close };
    const [sessionId, workspaceId, locationId, locationIds] = [1, world.acme, world.north, null];
    const listener = { sessionId, workspaceId, locationId, locationIds, after: undefined };
    const open = () => hub.open({ ...listener, stillMay: async () => true, disconnect: () => {} });
    (await open())!.destroy();
    await stopping.promise;
    let received = "";
    (await open())!.on("data", (piece: Buffer) => (received += piece.toString()));
    const id = await addContact(world.service);
    await stampAll(database);
    mayStop.resolve();
    await expect.poll(() => received, { timeout: patience }).toContain(`event: contact\ndata: ${id}\n`);
  });

  // The limits know no database.
  test.each(kind === "sqlite" ? [liveLimits] : [])(
    "a session has $ofSession streams at most, and a process $ofProcess; the rest is still served",
    async ({ ofSession, ofProcess }) => {
      const sessions = await openSessions(ofProcess / ofSession + 1);
      const streams: LiveClient[] = [];
      for (const session of sessions.slice(0, -1)) {
        const some = Array.from({ length: ofSession }, () => openLive(urls()[0], ofNorth(), session));
        streams.push(...(await Promise.all(some)));
        if (streams.length === ofSession) expect((await openLive(urls()[0], ofNorth(), session)).status).toBe(503);
      }
      expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await openLive(urls()[0], ofNorth(), sessions.at(-1)!)).status).toBe(503);
      const id = await addContact(other);
      await Promise.all(streams.map((stream) => stream.until(new RegExp(`data: ${id}\n`), patience)));
      expect((await olga.get(`/l/${world.north}/workflows`)).status).toBe(200);
      await Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()));
      // A place is free again as soon as its connection is closed.
      await expect.poll(async () => (await openLive(urls()[0], ofNorth(), sessions.at(-1)!)).status).toBe(200);
    },
  );

  /** Sessions of Olga, past the limit of a person. */
  function openSessions(count: number): Promise<Pick<Person, "cookies">[]> {
    return world.service.database.transaction(async ({ rows }) => {
      const sessions: Pick<Person, "cookies">[] = [];
      for (let number = 0; number < count; number++) {
        const token = mintSecret("crm_session_");
        const ends = new Date(world.clock.now().getTime() + 86_400_000);
        await rows("insert into sessions (user_id, hash, created_at, expires_at) values (?, ?, ?, ?)", [
          world.users.olga,
          hashSecret(token),
          world.clock.now(),
          ends,
        ]);
        sessions.push({ cookies: new Map([["crm_session", token]]) });
      }
      return sessions;
    });
  }

  test("a stop ends the streams, and browsers are told to reconnect", async () => {
    const log = createConsola({ level: 1 });
    const stopped = await startServer({ ...world.service.settings, port: 0 }, { version: "0.0.0", log }, world.service);
    await using stream = await openLive(stopped.url, ofNorth(), olga);
    await stream.until(/retry: \d+/);
    const begun = performance.now();
    await stopped.close();
    await stream.ended();
    expect(performance.now() - begun).toBeLessThan(patience);
  });
});
