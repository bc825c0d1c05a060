/** Addresses outside the API: what they are handed of a body, how they show what went wrong, and what the log learns of them. */
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonResponse } from "../../src/http/http-response.ts";
import type { HttpResponse } from "../../src/http/http-response.ts";
import type { FailureForm } from "../../src/http/failures.ts";
import { route } from "../../src/http/route.ts";
import { Invalid, Refusal, TooManyRequests, Unavailable } from "../../src/vocabulary/errors.ts";
import { request } from "../support/client.ts";
import { startSmallApp } from "../support/small-app.ts";
import type { SmallApp } from "../support/small-app.ts";
import { openRaw } from "../support/socket.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const shown = (value: unknown): HttpResponse => jsonResponse(200, JSON.stringify(value));

/** As RFC 6749 (5.2) has it: what the form of a request got wrong is 400, whatever it is elsewhere. */
const asOAuth: FailureForm = ({ status, code, message, errors }) =>
  jsonResponse(
    [413, 415, 422].includes(status) ? 400 : status,
    JSON.stringify({
      error: status === 500 ? "server_error" : status === 503 ? "temporarily_unavailable" : "invalid_request",
      error_description: errors === undefined ? (message ?? code) : Object.keys(errors).join(", "),
    }),
    { "cache-control": "no-store" },
  );

const asPage: FailureForm = ({ status, code, requestId }) => ({
  status,
  body: `<h1>${code}</h1><p>${requestId}</p>`,
  headers: { "content-type": "text/html; charset=utf-8" },
});

const faults: Readonly<Record<string, unknown>> = {
  refused: new Refusal("contact.not_found"),
  invalid: new Invalid({ name: ["The name field is required."] }),
  often: new TooManyRequests(7),
  down: new Unavailable(new Error("the disk is full")),
  defect: new TypeError("a secret detail"),
};
const throwing = async ({ parameters }: { parameters: Readonly<Record<string, string>> }): Promise<HttpResponse> => {
  throw faults[parameters["what"]!];
};

/** Told when a request to /left is being served. */
let began = (): void => {};
const routes = [
  route({ method: "POST", path: "/json", summary: "", body: "json", serve: async (_request, body) => shown({ body }) }),
  route({ method: "POST", path: "/none", summary: "", serve: async () => shown("done") }),
  route({
    method: "GET",
    path: "/broken-header",
    summary: "",
    serve: async () => ({ ...jsonResponse(200, "{}"), headers: { "x-name": "two\nlines" } }),
  }),
  route({
    method: "POST",
    path: "/form",
    summary: "",
    body: "form",
    serve: async (_request, form) => shown([...new Set(form.keys())].map((name) => [name, form.getAll(name)])),
  }),
  route({
    method: "POST",
    path: "/raw",
    summary: "",
    body: "raw",
    serve: async (_request, bytes) => shown(bytes.toString("hex")),
  }),
  route({
    method: "POST",
    path: "/stream",
    summary: "",
    body: "stream",
    limit: 100_000,
    serve: async (_request, bytes) => shown((await text(bytes)).length),
  }),
  route({ method: "POST", path: "/unread", summary: "", body: "stream", serve: async () => shown("not read") }),
  route({
    method: "POST",
    path: "/left",
    summary: "",
    body: "stream",
    async serve({ response }, bytes) {
      began();
      await once(response, "close");
      return shown((await text(bytes)).length);
    },
  }),
  route({ method: "GET", path: "/plain/{what}", summary: "", serve: throwing }),
  route({ method: "GET", path: "/page/{what}", summary: "", failed: asPage, serve: throwing }),
  route({ method: "GET", path: "/oauth/{what}", summary: "", failed: asOAuth, serve: throwing }),
  route({ method: "POST", path: "/token", summary: "", body: "form", limit: 50, failed: asOAuth, serve: throwing }),
  route({
    method: "GET",
    path: "/broken-form",
    summary: "",
    failed: () => {
      throw new Error("the page cannot be made");
    },
    serve: () => Promise.reject(new Refusal("contact.not_found")),
  }),
  route({
    method: "GET",
    path: "/cookies",
    summary: "",
    serve: async () => ({ status: 204, body: null, headers: { "set-cookie": ["one=1", "two=2"], "x-one": "1" } }),
  }),
  route({ method: "GET", path: "/inbound/{token}", summary: "", serve: async () => shown("seen") }),
  route({ method: "GET", path: "/shown", summary: "", serve: async () => shown("seen") }),
  route({
    method: "GET",
    path: "/spent",
    summary: "",
    writes: true,
    async serve() {
      spent += 1;
      return shown(spent);
    },
  }),
];
let spent = 0;

let world: World;
let app: SmallApp;
beforeAll(async () => {
  world = await createWorld("sqlite");
  app = await startSmallApp(world, { routes });
});
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await world?.close();
});

const post = (path: string, body: string, type = "") =>
  request(app.url, { method: "POST", path, body, headers: { "content-type": type } });
const get = (path: string, method = "GET") => request(app.url, { method, path });

describe("a body is handed over as", () => {
  const form = "application/x-www-form-urlencoded";
  test.each<[path: string, sent: string, type: string, status: number, body: unknown]>([
    ["/json", '{"a":1}', "application/json", 200, { body: { a: 1 } }],
    ["/json", '{"a":1}', "", 200, { body: { a: 1 } }],
    ["/json", "", "text/plain", 200, {}],
    ["/json", "{", "", 400, { error: "invalid_json" }],
    [
      "/json",
      "a=1",
      form,
      415,
      { error: "unsupported_media_type", message: expect.stringContaining("application/json") },
    ],
    ["/json", " ".repeat(1001), "", 413, { error: "payload_too_large" }],
    ["/none", "whatever", "text/plain", 200, "done"],
    [
      "/form",
      "a=1&b=%C3%A9+%26&a=2&c",
      form,
      200,
      [
        ["a", ["1", "2"]],
        ["b", ["é &"]],
        ["c", [""]],
      ],
    ],
    ["/form", "a=1", `${form};charset=UTF-8`, 200, [["a", ["1"]]]],
    ["/form", "__proto__=1", "", 200, [["__proto__", ["1"]]]],
    ["/form", "", "", 200, []],
    [
      "/form",
      "{}",
      "application/json",
      415,
      { error: "unsupported_media_type", message: expect.stringContaining(form) },
    ],
    ["/raw", "\0é", "image/png", 200, "00c3a9"],
    ["/raw", "", "", 200, ""],
    ["/stream", "x".repeat(90_000), "text/csv", 200, 90_000],
    ["/stream", "", "", 200, 0],
    ["/stream", "x".repeat(100_001), "", 413, { error: "payload_too_large" }],
  ])("%s: %o as %o answers %d", async (path, sent, type, status, body) => {
    const answer = await post(path, sent, type);
    expect(answer.status, answer.text.slice(0, 200)).toBe(status);
    if (status === 200) expect(answer.body).toEqual(body);
    else expect(answer.body).toMatchObject(body as object);
  });
});

describe("a streamed body", () => {
  const head = (path: string, ...lines: string[]): string =>
    [`POST ${path} HTTP/1.1`, "Host: localhost", ...lines, "", ""].join("\r\n");
  const chunk = `3e8\r\n${"x".repeat(1000)}\r\n`;

  test("past the limit is refused while it comes", async () => {
    const raw = await openRaw(app.url);
    raw.write(head("/stream", "Transfer-Encoding: chunked") + chunk.repeat(101));
    expect(await raw.until(/payload_too_large/)).toMatch(/^HTTP\/1\.1 413 .*connection: close/is);
    await raw.closed();
  });

  test("that is not read leaves the connection to the next request", async () => {
    const raw = await openRaw(app.url);
    raw.write(`${head("/unread", "Content-Length: 900")}${"x".repeat(900)}${head("/none", "Content-Length: 0")}`);
    expect(await raw.until(/"done"/)).toMatch(/"not read".*HTTP\/1\.1 200 .*"done"/s);
    raw.socket.destroy();
  });

  test.each([400, 900])(
    "of a client that goes away after %d of 900 bytes fails, and nothing else does",
    async (bytes) => {
      const { answered } = app;
      answered.length = 0;
      const beginning = new Promise<void>((resolve) => (began = resolve));
      const raw = await openRaw(app.url);
      raw.write(head("/left", "Content-Length: 900") + "x".repeat(bytes));
      await beginning;
      raw.socket.destroy();
      await expect.poll(() => answered).toEqual(["POST /left 400"]);
      expect(app.reported).toEqual([]);
    },
  );
});

describe("what goes wrong is shown in the form of its route:", () => {
  test.each<[path: string, status: number, body: unknown, headers: Record<string, string>]>([
    ["/plain/refused", 404, { error: "contact.not_found" }, {}],
    ["/plain/invalid", 422, { message: "The name field is required.", errors: expect.any(Object) }, {}],
    ["/plain/often", 429, { message: "Too many requests. Try again in 7 seconds." }, { "retry-after": "7" }],
    ["/page/refused", 404, expect.stringMatching(/^<h1>contact.not_found<\/h1><p>.{36}<\/p>$/), {}],
    ["/page/often", 429, expect.stringContaining("too_many_requests"), { "retry-after": "7" }],
    [
      "/page/down",
      503,
      expect.stringContaining("unavailable"),
      { "retry-after": "1", "content-type": "text/html; charset=utf-8" },
    ],
    ["/page/defect", 500, expect.stringContaining("server_error"), {}],
    ["/oauth/invalid", 400, { error: "invalid_request", error_description: "name" }, { "cache-control": "no-store" }],
    [
      "/oauth/down",
      503,
      { error: "temporarily_unavailable", error_description: expect.any(String) },
      { "retry-after": "1" },
    ],
    ["/oauth/defect", 500, { error: "server_error", error_description: expect.any(String) }, {}],
    ["/token", 405, { error: "invalid_request", error_description: expect.any(String) }, { allow: "OPTIONS, POST" }],
    ["/broken-form", 500, expect.objectContaining({ error: "server_error" }), {}],
  ])("GET %s", async (path, status, body, headers) => {
    const answer = await get(path);
    expect([answer.status, answer.body]).toEqual([status, body]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({ ...headers, "x-request-id": expect.any(String) });
    expect(answer.text).not.toContain("secret");
  });

  test.each<[sent: string, type: string, headers: Record<string, string>]>([
    ["{}", "application/json", {}],
    ["a".repeat(51), "", { connection: "close" }],
  ])("POST /token: %o", async (sent, type, headers) => {
    const answer = await post("/token", sent, type);
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
  });

  test("what is nobody's fault but ours is reported, and nothing else", async () => {
    app.reported.length = 0;
    for (const what of Object.keys(faults)) await get(`/oauth/${what}`);
    expect(app.reported).toEqual([faults["down"], faults["defect"]]);
  });
});

test("a header of several values is sent once for each", async () => {
  const { headers } = await get("/cookies");
  expect([headers.getSetCookie(), headers.get("x-one")]).toEqual([["one=1", "two=2"], "1"]);
});

describe("HEAD", () => {
  test("answers where GET does", async () => {
    const { status, headers, text: body } = await get("/shown", "HEAD");
    expect([status, headers.get("content-length"), body]).toEqual([200, "6", ""]);
  });

  test("never runs a GET that leaves something behind", async () => {
    const { status, headers } = await get("/spent", "HEAD");
    expect([status, headers.get("allow"), spent]).toEqual([405, "GET, OPTIONS", 0]);
    expect((await get("/spent")).body).toBe(1);
  });
});

test("the log learns the address as its row writes it", async () => {
  app.answered.length = 0;
  await get("/inbound/whsec_secret");
  await post("/inbound/whsec_secret", "");
  await get("/inbound/whsec_secret/more");
  expect(app.answered).toEqual(["GET /inbound/{token} 200", "POST /inbound/{token} 405", "GET /** 404"]);
});

test("an answer with a header that HTTP does not know is a defect of ours, and said to be one", async () => {
  app.reported.length = 0;
  const answer = await request(app.url, { method: "GET", path: "/broken-header" });
  expect([answer.status, answer.body.error, answer.headers.has("x-name")]).toEqual([500, "server_error", false]);
  expect(app.reported).toEqual([expect.objectContaining({ code: "ERR_INVALID_CHAR" })]);
});
