/** Each request reads key and location with one query, and a revocation by another process takes effect with the next request, and those whose body is on its way. */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { entities } from "../../src/entities.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { createLocation } from "../../src/tenancy/locations/location.service.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { stampAll } from "../support/events.ts";
import { givenContact } from "../support/given.ts";
import { openRaw, postHead } from "../support/socket.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** The queries of requests before and beside their changes. */
function hearLookUps(database: Database) {
  const { forHolder } = database;
  const lookUps = vi.fn<(read: () => Promise<unknown[]>) => Promise<unknown[]>>((read) => read());
  vi.spyOn(database, "forHolder").mockImplementation((holder) => {
    const held = forHolder(holder);
    return {
      ...held,
      rows: <Row>(...asked: Parameters<Database["rows"]>) => lookUps(() => held.rows(...asked)) as Promise<Row[]>,
    };
  });
  return lookUps;
}

describe.each(databaseKinds)("key and location on %s", (kind) => {
  let world: World;
  /** Changed as by another process. */
  let other: Database;
  let contact: number;
  beforeAll(async () => {
    world = await createWorld(kind);
    other = await openDatabase(world.service.settings.databaseUrl, entities);
    contact = (await givenContact(world)).id;
  });
  afterAll(async () => {
    await other?.close();
    await world?.close();
  });
  afterEach(() => vi.restoreAllMocks());

  const grace = { first_name: "Grace", last_name: "Hopper" };

  it.each([
    {
      what: "a GET",
      send: () => world.send("owner", "GET", `/contacts/${contact}?location_id=${world.north}`),
      asks: 2,
    },
    {
      what: "a small body",
      send: () => world.send("owner", "POST", "/contacts", { location_id: world.north, ...grace }),
      asks: 1,
    },
    {
      what: "digits in a string",
      send: () => world.send("owner", "POST", "/contacts", { location_id: `${world.north}`, ...grace }),
      asks: 1,
    },
    {
      what: "another location named before, inside of something else",
      send: () =>
        world.send("owner", "POST", "/contacts", {
          x: { location_id: world.foreign },
          location_id: world.north,
          ...grace,
        }),
      asks: 2,
    },
    {
      what: "a body that comes in pieces",
      send: () =>
        world.send("owner", "POST", "/contacts", { x: "x".repeat(200_000), location_id: world.north, ...grace }),
      asks: 2,
    },
  ])("$what: $asks queries before and beside its change", async ({ send, asks }) => {
    const lookUps = hearLookUps(world.service.database);
    const { status } = await send();
    expect([status, lookUps.mock.calls.length]).toEqual([expect.toSatisfy((code) => code < 300), asks]);
  });

  it("are checked before a slow body arrives", async () => {
    const socket = connect(Number(new URL(world.url).port), "127.0.0.1");
    const heard: string[] = [];
    socket.setEncoding("utf8").on("data", (text: string) => heard.push(text));
    socket.write("POST /api/v1/contacts HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n");
    await expect.poll(() => heard.join(""), { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });

  it("are known for a body that arrives after its head", async () => {
    const body = JSON.stringify({ location_id: world.north, ...grace });
    const socket = connect(Number(new URL(world.url).port), "127.0.0.1");
    const heard: string[] = [];
    socket.setEncoding("utf8").on("data", (text: string) => heard.push(text));
    socket.write(
      `POST /api/v1/contacts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${world.keys.owner}\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    await sleep(50);
    socket.write(body);
    await expect.poll(() => heard.join(""), { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 201 /);
    socket.destroy();
  });

  it("come without reserved ids for a slow body: its records are newer than those created meanwhile, and delivered to webhooks registered meanwhile", async () => {
    const body = JSON.stringify({ location_id: world.north, ...grace });
    const socket = connect(Number(new URL(world.url).port), "127.0.0.1");
    const heard: string[] = [];
    socket.setEncoding("utf8").on("data", (text: string) => heard.push(text));
    const lookUps = hearLookUps(world.service.database);
    socket.write(
      `POST /api/v1/contacts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${world.keys.owner}\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    await expect.poll(() => lookUps.mock.calls.length, { timeout: 10_000 }).toBe(1);
    await lookUps.mock.results[0]!.value;
    const meanwhile = await givenContact(world);
    const { status } = await world.send("owner", "POST", "/hooks", {
      location_id: world.north,
      event: "contact.created",
      target_url: "https://192.0.3.1/new",
    });
    expect(status).toBe(201);
    socket.write(body);
    await expect.poll(() => heard.join(""), { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 201 /);
    socket.destroy();
    expect(JSON.parse(heard.join("").split("\r\n\r\n")[1]!).id).toBeGreaterThan(meanwhile.id);
    await stampAll(other);
    const told = await other.rows(
      "select 1 from event_positions where position > (select max(after_position) from hooks)",
    );
    expect(told).toHaveLength(1);
  });

  it.each([
    {
      what: "a key that was revoked",
      text: "update api_keys set revoked_at = ? where id = ?",
      params: (key: number) => [new Date(), key],
      refusal: [401, { error: "invalid_api_key" }],
      files: 2,
    },
    {
      what: "a location that was taken from the key",
      text: "update api_keys set location_ids = ? where id = ?",
      params: (key: number) => [`[${world.south}]`, key],
      refusal: [404, { error: "location.not_found" }],
      files: 2,
    },
    {
      what: "a location that was removed",
      text: "delete from locations where id = ?",
      params: (_key: number, location: number) => [location],
      refusal: [404, { error: "location.not_found" }],
      // A file that arrives has a row there.
      files: 0,
    },
  ])(
    "$what by another process takes effect with the next request, and one whose body is on its way",
    async ({ text, params, refusal, files }) => {
      const { key, id, location } = await world.service.inWorkspace(world.acme).change(async (change) => {
        const { id: location } = await createLocation(change, { name: "Passing" }, async () => {});
        return {
          ...(await createApiKey(change, { name: "k", location_ids: [location] })),
          location,
        };
      });
      const ask = async () => {
        const { status, body } = await request(world.url, {
          method: "GET",
          path: `/api/v1/contacts?location_id=${location}`,
          key,
        });
        return [status, body];
      };
      expect(await ask()).toMatchObject([200, { total: 0 }]);
      const slow = [
        { path: "contacts", type: "application/json", body: JSON.stringify({ location_id: location, ...grace }) },
        { path: `attachments?location_id=${location}&name=list.txt`, type: "text/plain", body: "one\ntwo\n" },
        { path: `contacts/import?location_id=${location}`, type: "text/csv", body: "first_name\nGrace\n" },
      ].slice(0, 1 + files);
      const arriving = [];
      for (const { path, type, body } of slow) {
        const connection = await openRaw(world.url);
        const lookUps = hearLookUps(world.service.database);
        const headers = [`Content-Type: ${type}`, `Content-Length: ${body.length}`];
        connection.write(postHead(key, headers, `/api/v1/${path}`));
        await expect.poll(() => lookUps.mock.calls.length).toBeGreaterThan(0);
        await lookUps.mock.results[0]!.value;
        vi.restoreAllMocks();
        arriving.push({ path, body, connection });
      }
      await other.transaction(({ rows }) => rows(text, params(id, location)));
      expect(await ask()).toEqual(refusal);
      for (const { path, body, connection } of arriving) {
        connection.write(body);
        const answer = await connection.until(/\r\n\r\n\{.*\}$/s);
        expect([path, Number(answer.slice(9, 12)), JSON.parse(answer.split("\r\n\r\n")[1]!)]).toEqual([
          path,
          ...refusal,
        ]);
        connection.socket.destroy();
      }
    },
  );
});
