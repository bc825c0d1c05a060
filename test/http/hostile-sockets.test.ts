/** What broken and hostile clients send never ends the process, never holds it for ever, and never costs the others. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { request } from "../support/client.ts";
import { openRaw, postHead } from "../support/socket.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const bodyLimit = 2000;
let world: World;

beforeEach(async () => {
  world = await createWorld("sqlite", { environment: { CRM_BODY_LIMIT: String(bodyLimit) } });
});
afterEach(() => world.close());

async function expectAlive(): Promise<void> {
  expect((await request(world.url, { method: "GET", path: "/healthz" })).status).toBe(200);
}

const head = (lines: string[], path?: string): string => postHead(world.keys.owner!, lines, path);

describe("a body past the limit", () => {
  test("is refused by its Content-Length before it is read", async () => {
    const raw = await openRaw(world.url);
    raw.write(head([`Content-Length: ${bodyLimit + 1}`]));
    expect(await raw.until(/payload_too_large/)).toMatch(/^HTTP\/1\.1 413 .*connection: close/is);
    await raw.closed();
    await expectAlive();
  });

  test("is refused while its chunks come, and the process lives on", async () => {
    const raw = await openRaw(world.url);
    raw.write(head(["Transfer-Encoding: chunked"]));
    const chunk = "x".repeat(1000);
    for (let sent = 0; sent < 5; sent++) raw.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    expect(await raw.until(/payload_too_large/)).toMatch(/^HTTP\/1\.1 413 /);
    await raw.closed();
    await expectAlive();
  });

  test("is accepted up to the very limit", async () => {
    const body = JSON.stringify({ location_id: world.north, first_name: "A", last_name: "" });
    const answer = await world.send("owner", "POST", "/contacts", body.padEnd(bodyLimit, " "));
    expect(answer.status).toBe(201);
  });
});

test("a client that goes away in the middle of its body costs nothing", async () => {
  const raw = await openRaw(world.url);
  raw.write(head(["Content-Length: 500"]) + '{"location_id":');
  raw.socket.destroy();
  await expectAlive();
});

test("requests that are pipelined are answered in their order", async () => {
  const raw = await openRaw(world.url);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  raw.write(get("/healthz") + get("/nowhere") + get("/healthz"));
  const text = await raw.until(/HTTP\/1\.1 [^]*HTTP\/1\.1 [^]*HTTP\/1\.1 [^]*"ok"\}$/);
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(["200", "404", "200"]);
  raw.socket.destroy();
});

/** What Node gives a connection up for, and how a request looks that follows it in the same packet. */
test.each(["CONNECT x:1 HTTP/1.1\r\nHost: x\r\n", "PRI * HTTP/2.0\r\nHost: x\r\n"])(
  "what follows a connection that is given up is nobody's request: %j",
  async (given) => {
    const following = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    // Just before, at and behind the place where the bytes of one read are parted.
    for (const size of [100, 2047, 2048, 2049, 4096, 60_000]) {
      const pad = "p".repeat(size - given.length - "X: \r\n\r\n".length);
      const raw = await openRaw(world.url);
      raw.write(`${given}X: ${pad}\r\n\r\n${following.repeat(100)}`);
      await raw.closed();
      expect(raw.received()).not.toContain("HTTP/1.1 200");
      await expectAlive();
    }
  },
);

test("headers without end are refused", async () => {
  const raw = await openRaw(world.url);
  raw.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n");
  for (let sent = 0; sent < 200; sent++) raw.write(`X-${sent}: ${"y".repeat(1000)}\r\n`);
  expect(await raw.until(/^HTTP/)).toMatch(/^HTTP\/1\.1 431 /);
  await expectAlive();
});

test.each([
  // A contact's address asks for a credential before anything else.
  ["GET", "/api/v1/contacts/%zz", 401],
  ["GET", "/api/v1/%2e%2e/healthz", 404],
  ["GET", "/%", 404],
  ["PUT", "/api/v1/contacts", 405],
  ["OPTIONS", "/api/v1/contacts", 204],
  ["HEAD", "/healthz", 200],
  ["GET", "//healthz", 404],
])("%s %s answers %d", async (method, path, status) => {
  const raw = await openRaw(world.url);
  raw.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  await raw.closed();
  expect(raw.received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

describe("closing", () => {
  test("answers what has come whole, and takes no new connection", async () => {
    const body = JSON.stringify({ location_id: world.north, first_name: "Late", last_name: "" });
    const raw = await openRaw(world.url);
    // The change is held up, so that the request is surely still running when the listener closes.
    let release = (): void => {};
    const held = world.service.database.transaction(() => new Promise<void>((resolve) => (release = resolve)));
    raw.write(head([`Content-Length: ${body.length}`]) + body);
    await expectAlive();
    const closing = world.close();
    // What the system had connected by then is still taken; soon nothing is.
    const connecting = () =>
      openRaw(world.url).then(
        ({ socket }) => socket.destroy(),
        (error: Error) => error.message,
      );
    await expect.poll(connecting).toMatch(/ECONNREFUSED/);
    release();
    await held;
    expect(await raw.until(/HTTP\/1\.1 \d/)).toMatch(/^HTTP\/1\.1 201 /);
    await closing;
    world = await createWorld("sqlite");
  });

  test("is not held for ever by a request that has only half arrived", async () => {
    const raw = await openRaw(world.url);
    raw.write(head(["Content-Length: 500"]) + '{"location_id":');
    await expectAlive();
    const started = performance.now();
    await world.close();
    expect(performance.now() - started).toBeLessThan(9000);
    await raw.closed();
    world = await createWorld("sqlite");
  }, 15_000);
});
