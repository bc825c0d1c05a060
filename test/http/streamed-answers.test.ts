/** Streamed responses: with backpressure, ended when the client disconnects, and never terminated as complete after a failure. */
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ResponseHeaders, StreamedResponse } from "../../src/http/http-response.ts";
import { route } from "../../src/http/route.ts";
import { Unavailable } from "../../src/vocabulary/errors.ts";
import { request } from "../support/client.ts";
import { startSmallApp } from "../support/small-app.ts";
import type { SmallApp } from "../support/small-app.ts";
import { openRaw } from "../support/socket.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const pieceBytes = 65_536;
const piece = Buffer.alloc(pieceBytes, "x");

/** What became of the last stream that a test made. */
let given = 0;
let ended: "open" | "left" = "open";

/** Pieces without end, each made when it is asked for. */
async function* endless(): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      given += 1;
      yield piece;
    }
  } finally {
    ended = "left";
  }
}

/** These pieces, and then whatever `then` does. */
async function* pieces(texts: string[], then?: () => Promise<void>): AsyncGenerator<string> {
  for (const text of texts) yield text;
  await then?.();
}

async function* slow(): AsyncGenerator<string> {
  yield "one,";
  await held();
  yield "two,";
}

let goOn = (): void => {};
const held = (): Promise<void> => new Promise((resolve) => (goOn = resolve));
const breaks = (error: Error) => async (): Promise<never> => {
  throw error;
};
const broken = new Error("a secret detail");
const breaksLater = () => held().then(breaks(broken));
const down = new Unavailable(new Error("gone"));

const never = (): Readable =>
  new Readable({
    read() {},
    destroy(_error, done) {
      ended = "left";
      done();
    },
  });

const bodies: Record<string, () => StreamedResponse["body"]> = {
  whole: () => Readable.from(pieces(["one,", "two,", "three"])),
  web: () => Readable.toWeb(Readable.from(pieces(["one,", "two"]))),
  empty: () => Readable.from(pieces([])),
  held: () => Readable.from(pieces(["first"], held)),
  endless: () => Readable.from(endless()),
  "endless-web": () => Readable.toWeb(Readable.from(endless())),
  never,
  "breaks-first": () => Readable.from(pieces([], breaks(broken))),
  "down-first": () => Readable.from(pieces([], breaks(down))),
  "breaks-later": () => Readable.from(pieces(["first"], breaksLater)),
  "breaks-later-web": () => Readable.toWeb(Readable.from(pieces(["first"], breaksLater))),
  slow: () => Readable.from(slow()),
};

function streamed(path: string, headers: ResponseHeaders = {}) {
  const body = bodies[path.replace(/^length-\d+-/, "")]!;
  return route({
    method: "GET",
    path: `/${path}`,
    summary: "",
    serve: async () => ({ status: 200, body: body(), headers: { "content-type": "text/csv", ...headers } }),
  });
}

let world: World;
let app: SmallApp;
beforeAll(async () => {
  world = await createWorld("sqlite");
  app = await startSmallApp(world, {
    routes: [
      ...Object.keys(bodies).map((path) => streamed(path)),
      ...[7, 8, 9].map((length) => streamed(`length-${length}-slow`, { "content-length": String(length) })),
    ],
  });
});
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await world?.close();
});
beforeEach(() => {
  given = 0;
  ended = "open";
  app.reported.length = 0;
});

const get = (path: string, method = "GET") => request(app.url, { method, path });
async function rawGet(path: string) {
  const raw = await openRaw(app.url);
  raw.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return raw;
}

test.each([
  ["/whole", "one,two,three"],
  ["/web", "one,two"],
  ["/empty", ""],
])("%s arrives whole", async (path, text) => {
  const answer = await get(path);
  expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([200, text, "text/csv"]);
});

test("what is there is sent before the rest is", async () => {
  const raw = await rawGet("/held");
  await raw.until(/^HTTP\/1\.1 200 .*transfer-encoding: chunked.*\r\n5\r\nfirst\r\n$/is);
  goOn();
  await raw.until(/first\r\n0\r\n\r\n$/);
  raw.socket.destroy();
});

describe.each(["/endless", "/endless-web"])("%s", (path) => {
  test("is read no faster than it is taken", async () => {
    const raw = await rawGet(path);
    raw.socket.pause();
    // It stands still once what the system and Node keep for a socket is full.
    let before = -1;
    await expect.poll(() => before === (before = given) && given > 0, { interval: 200, timeout: 10_000 }).toBe(true);
    expect(given * pieceBytes).toBeLessThan(24 * 2 ** 20);
    raw.socket.destroy();
    await expect.poll(() => ended).toBe("left");
  });

  test("is left when the client is gone, and nobody is bothered with it", async () => {
    const raw = await rawGet(path);
    await raw.until(/xxxx/);
    raw.socket.destroy();
    await expect.poll(() => ended).toBe("left");
    expect(app.reported).toEqual([]);
  });

  test("is not read for HEAD", async () => {
    const { status, headers, text } = await get(path, "HEAD");
    expect([status, headers.get("content-type"), text]).toEqual([200, "text/csv", ""]);
    expect(given).toBeLessThanOrEqual(1);
    expect(app.reported).toEqual([]);
  });
});

test("a client that goes away before the first byte leaves nothing open", async () => {
  const raw = await rawGet("/never");
  await get("/whole");
  raw.socket.destroy();
  await expect.poll(() => ended).toBe("left");
  expect(app.reported).toEqual([]);
});

test.each([
  ["/breaks-first", 500, "server_error", broken],
  ["/down-first", 503, "unavailable", down],
])("%s is answered as what it is", async (path, status, error, reported) => {
  const answer = await get(path);
  expect(answer).toMatchObject({ status, body: { error } });
  expect(answer.text).not.toContain("secret");
  expect(app.reported).toEqual([reported]);
});

test.each([
  ["/breaks-later", /first\r\n$/, /secret detail/],
  ["/breaks-later-web", /first\r\n$/, /secret detail/],
  ["/length-9-slow", /one,two,$/, /8 bytes, and 9/],
  ["/length-7-slow", /one,$/, /more than the 7 bytes/],
])("%s ends the connection, and is reported", async (path, received, reported) => {
  const raw = await rawGet(path);
  await raw.until(/first|one,/);
  goOn();
  await raw.closed();
  expect(raw.received()).toMatch(/^HTTP\/1\.1 200 /);
  expect(raw.received()).toMatch(received);
  expect(app.reported).toEqual([expect.objectContaining({ message: expect.stringMatching(reported) })]);
});

test("an answer of as many bytes as it announced leaves the connection open", async () => {
  const raw = await rawGet("/length-8-slow");
  await raw.until(/one,$/);
  goOn();
  await raw.until(/content-length: 8\r\n.*\r\n\r\none,two,$/is);
  raw.write("GET /web HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await raw.until(/0\r\n\r\n$/);
  raw.socket.destroy();
});

test.each(["/endless", "/held", "/never"])("%s does not keep a server that stops: it is cut off", async (path) => {
  const stopped = await startSmallApp(world, {
    routes: [streamed(path.slice(1)), streamed("whole")],
    patience: { others: 100, answers: 200 },
  });
  const raw = await openRaw(stopped.url);
  raw.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  // By then the other one has been read as well.
  expect(await request(stopped.url, { method: "GET", path: "/whole" })).toMatchObject({ status: 200 });
  raw.socket.pause();
  await stopped[Symbol.asyncDispose]();
  raw.socket.resume();
  await raw.closed();
  expect(raw.received()).not.toMatch(/\r\n0\r\n\r\n$/);
  if (path !== "/held") await expect.poll(() => ended).toBe("left");
  expect(stopped.reported).toEqual([]);
});
