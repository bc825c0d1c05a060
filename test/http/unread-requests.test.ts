/** What Node's parser refuses is answered like everything else: an error in JSON, a request id, and in its turn. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toMalformedRequestAnswer } from "../../src/http/connection/malformed-requests.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { openRaw, postHead } from "../support/socket.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld("sqlite");
});
afterAll(() => world?.close());

interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The answers one after the other, each as long as it says. */
function toAnswers(received: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = received; rest !== "";) {
    const [, status, head] = /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 (\d{3}) (.*?)\r\n\r\n/s.exec(rest)!;
    const start = rest.indexOf(head!) + head!.length + 4;
    const end = start + Number(/^content-length: (\d+)$/im.exec(head!)?.[1] ?? 0);
    answers.push({ status: Number(status), head: head!, body: rest.slice(start, end) });
    rest = rest.slice(end);
  }
  return answers;
}

async function answersTo(sent: string): Promise<RawAnswer[]> {
  const raw = await openRaw(world.url);
  raw.write(sent);
  await raw.closed();
  return toAnswers(raw.received());
}

function expectRefusal(answer: RawAnswer | undefined, status: number, error: string): void {
  expect(answer).toMatchObject({ status });
  const { head, body } = answer!;
  const { request_id: requestId, ...told } = JSON.parse(body);
  expect(told).toEqual({ error, message: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(/^x-request-id: (.*)$/im.exec(head)?.[1]).toBe(requestId);
  expect(head).toMatch(/^content-type: application\/json; charset=utf-8$/im);
  expect(head).toMatch(/^connection: close$/im);
}

const get = (lines: string[] = [], path = "/healthz"): string =>
  [`GET ${path} HTTP/1.1`, "Host: localhost", ...lines, "", ""].join("\r\n");

const post = (lines: string[]): string => postHead(world.keys.owner!, lines);

test.each<[what: string, sent: () => string, status: number, error: string]>([
  ["no request at all", () => "NONSENSE\r\n\r\n", 400, "bad_request"],
  ["another version", () => "GET /healthz HTTP/3.7\r\nHost: localhost\r\n\r\n", 400, "bad_request"],
  ["a header without a name", () => get([": nothing"]), 400, "bad_request"],
  ["a header with a control character", () => get(["X-Thing: a\u0000b"]), 400, "bad_request"],
  ["no Host", () => "GET /healthz HTTP/1.1\r\n\r\n", 400, "bad_request"],
  ["two lengths", () => post(["Content-Length: 1", "Content-Length: 2"]), 400, "bad_request"],
  ["a length beside chunks", () => post(["Content-Length: 1", "Transfer-Encoding: chunked"]), 400, "bad_request"],
  ["a chunk without a length", () => `${post(["Transfer-Encoding: chunked"])}zz\r\n`, 400, "bad_request"],
  [
    "a chunk with more said of it than in it",
    () => `${post(["Transfer-Encoding: chunked"])}1;${"x".repeat(20_000)}\r\n`,
    413,
    "payload_too_large",
  ],
  ["a longer address", () => get([], `/${"x".repeat(limits.requestHead)}`), 431, "headers_too_large"],
  ["longer headers", () => get([`X-Thing: ${"x".repeat(limits.requestHead)}`]), 431, "headers_too_large"],
  ["an expectation", () => get(["Expect: the-best"]), 417, "expectation_failed"],
])("%s", async (_what, sent, status, error) => {
  const answers = await answersTo(sent());
  expect(answers.length).toBe(1);
  expectRefusal(answers[0], status, error);
});

test("100-continue is met", async () => {
  const body = JSON.stringify({ location_id: world.north, first_name: "Ada", last_name: "" });
  const raw = await openRaw(world.url);
  raw.write(post([`Content-Length: ${body.length}`, "Expect: 100-continue", "Connection: close"]));
  await raw.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
  raw.write(body);
  await raw.closed();
  expect(toAnswers(raw.received())).toMatchObject([{ status: 201 }]);
});

describe("behind requests that are still to be answered", () => {
  const body = () => JSON.stringify({ location_id: world.north, first_name: "Ada", last_name: "" });

  test.each<[what: string, sent: () => string, status: number, error: string]>([
    ["nonsense", () => "NONSENSE\r\n\r\n", 400, "bad_request"],
    ["a broken body", () => `${post(["Transfer-Encoding: chunked"])}zz\r\n`, 400, "bad_request"],
    ["an expectation", () => get(["Expect: the-best"]), 417, "expectation_failed"],
  ])("%s waits for its turn", async (_what, sent, status, error) => {
    const raw = await openRaw(world.url);
    // The first request waits for a change that is held up.
    let release = (): void => {};
    const begun = Promise.withResolvers<void>();
    const held = world.service.database.transaction(
      () => new Promise<void>((resolve) => ((release = resolve), begun.resolve())),
    );
    await begun.promise;
    raw.write(post([`Content-Length: ${body().length}`]) + body() + get() + sent());
    await answersTo(get(["Connection: close"]));
    expect(raw.received()).toBe("");
    release();
    await held;
    await raw.closed();
    const answers = toAnswers(raw.received());
    expect(answers.map((answer) => answer.status)).toEqual([201, 200, status]);
    expectRefusal(answers[2], status, error);
  });
});

test.each([
  ["ERR_HTTP_REQUEST_TIMEOUT", "HTTP/1.1 408 Request Timeout", "request_timeout"],
  ["HPE_HEADER_OVERFLOW", "HTTP/1.1 431 Request Header Fields Too Large", "headers_too_large"],
  ["HPE_INVALID_CONSTANT", "HTTP/1.1 400 Bad Request", "bad_request"],
])("%s is answered %s", (code, line, error) => {
  const answer = toMalformedRequestAnswer(Object.assign(new Error("of Node"), { code }));
  expect(answer?.bytes.split("\r\n")[0]).toBe(line);
  expect(answer?.code).toBe(error);
});

test("a connection that broke is not answered", () => {
  expect(toMalformedRequestAnswer(Object.assign(new Error("of Node"), { code: "ECONNRESET" }))).toBeUndefined();
});

test("the longest filters that are allowed arrive, however they are written", async () => {
  const wanted = (length: number): string => {
    const frame = JSON.stringify([{ field: "name", op: "eq", value: "" }]).length;
    return JSON.stringify([{ field: "name", op: "eq", value: "😀".repeat(length - frame) }]);
  };
  const list = (filters: string) =>
    world.send("owner", "GET", `/contacts?${new URLSearchParams({ location_id: String(world.north), filters })}`);
  expect(await list(wanted(limits.filterText))).toMatchObject({ status: 200, body: { data: [] } });
  expect(await list(wanted(limits.filterText + 1))).toMatchObject({
    status: 422,
    body: { errors: { filters: [`The filters field must not be longer than ${limits.filterText} characters.`] } },
  });
});
