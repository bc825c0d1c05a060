/** The number of round trips to PostgreSQL per request: with a network latency of a millisecond they dominate the response time. */
import { setTimeout as sleep } from "node:timers/promises";
import { createConsola } from "consola";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../../src/server.ts";
import { stampPositions } from "../../src/events/positions.ts";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { sql } from "../../src/storage/sql-text.ts";
import { createFanOut } from "../../src/webhooks/sending/fan-out.ts";
import { request } from "../support/client.ts";
import { moveAway } from "../support/distant-database.ts";
import type { DistantDatabase } from "../support/distant-database.ts";
import { givenContact, givenConversation, givenOpportunity, givenTag, givenTask } from "../support/given.ts";
import { givenHook } from "../support/given-hooks.ts";
import { askToken, givenApp, givenOlga, givenTokens, refreshing } from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe("round trips to PostgreSQL", () => {
  let world: World;
  let line: DistantDatabase;
  let url: string;
  let service: Service;
  const closing: (() => Promise<void>)[] = [];
  let contact: number;
  let tag: number;
  let app: TestApp;
  let refreshToken: string;
  beforeAll(async () => {
    world = await createWorld("postgres");
    closing.push(() => world.close());
    ({ id: contact } = await givenContact(world, { email: "ada@example.com" }));
    ({ id: tag } = await givenTag(world));
    app = await givenApp(world);
    ({ refresh_token: refreshToken } = await givenTokens(world, await givenOlga(world), app, world.north));
    line = await moveAway(world.service.settings.databaseUrl, { delay: 0 });
    closing.push(async () => line[Symbol.asyncDispose]());
    const log = createConsola({ level: 1 });
    const settings = { ...world.service.settings, databaseUrl: line.url };
    const server = await startServer(settings, { version: "0.0.0", log });
    service = await openService(settings, { log, clock: world.clock, url: server.url });
    closing.push(async () => {
      await server.close();
      await service.close();
    });
    server.serve(service);
    url = server.url;
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  /** By then the notification of the last commit has been sent, and no other connection is in use. */
  const begin = async () => {
    do await sleep(50);
    while (line.journeys() > 0);
  };
  const send = async (method: string, path: string, body?: object) => {
    await begin();
    const inLocation = { location_id: world.north, ...body };
    const answer = await request(url, {
      method,
      path: `/api/v1${path}${method === "GET" ? `?location_id=${world.north}` : ""}`,
      key: world.keys.owner,
      body: method === "GET" ? undefined : inLocation,
    });
    expect(answer.status, answer.text).toBeLessThan(300);
    return line.journeys();
  };
  const refresh = async () => {
    await begin();
    const { status, text, body } = await askToken(url, refreshing(app, refreshToken));
    expect(status, text).toBe(200);
    refreshToken = body.refresh_token;
    return line.journeys();
  };
  /** Two contacts with all that refers to one: the journeys do not grow with it. */
  const merge = async () => {
    const [{ id: one }, { id: other }] = [await givenContact(world), await givenContact(world)];
    for (const id of [one, other]) {
      for (let count = 0; count < 3; count += 1) await givenTask(world, { contact_id: id });
      await givenOpportunity(world, { contact_id: id });
      await givenConversation(world, { contact_id: id });
      for (const path of ["notes", "tags"])
        await world.send("owner", "POST", `/contacts/${id}/${path}`, {
          location_id: world.north,
          body: "A note.",
          tag_id: tag,
        });
    }
    return send("POST", `/contacts/${one}/merge`, { contact_id: other });
  };
  /** A tag is new to a contact only once. */
  const putTag = async () => {
    const { id } = await givenContact(world);
    return send("POST", `/contacts/${id}/tags`, { tag_id: tag });
  };
  let number = 0;
  const person = () => ({ first_name: "Grace", last_name: "Hopper", email: `grace.${++number}@example.com` });

  it.each([
    ["get", 2, () => send("GET", `/contacts/${contact}`)],
    ["create", 2, () => send("POST", "/contacts", person())],
    ["create with a reference", 3, () => send("POST", "/contacts", { ...person(), external_ref: `ref ${number}` })],
    [
      "upsert that updates",
      4,
      () => send("POST", "/contacts/upsert", { email: "ada@example.com", city: `${++number}` }),
    ],
    ["upsert that creates", 4, () => send("POST", "/contacts/upsert", person())],
    ["PATCH", 4, () => send("PATCH", `/contacts/${contact}`, { city: `${++number}` })],
    ["put a tag on a contact", 5, putTag],
    ["refresh a token", 2, refresh],
    ["merge", 4, merge],
    ["add a note", 4, () => send("POST", `/contacts/${contact}/notes`, { body: "A note." })],
  ] as const)("%s: %i", async (_what, journeys, ask) => {
    // The first request on a connection also describes its statements, and on a busy machine the service may write in between when a key was used.
    let fewest = Number.POSITIVE_INFINITY;
    for (let asked = 0; asked < 5 && fewest > journeys; asked += 1) fewest = Math.min(fewest, await ask());
    expect(fewest).toBe(journeys);
  });

  it("the next events with their webhooks, and their deliveries with first attempts: 2", async () => {
    const { database, clock } = service;
    await givenHook(world);
    const fanOut = createFanOut({
      database,
      clock,
      allowedScopes: () => sql`null`,
      followers: new Map(),
      sender: { keepRoom: (wanted) => wanted, start: () => {} },
      leaseMilliseconds: 12_000,
      worker: async () => null,
    });
    const fanOutOne = async () => {
      await givenContact(world);
      await stampPositions(world.service.database);
      await begin();
      expect(await fanOut()).toBe("worked");
      return line.journeys();
    };
    // The first look finds out where it is.
    expect([await fanOutOne(), await fanOutOne(), await fanOutOne()].slice(1)).toEqual([2, 2]);
    const made = await database.rows("select state, attempt from deliveries");
    expect(made).toEqual(Array.from({ length: 3 }, () => ({ state: "delivering", attempt: 1 })));
  });
});
