/** What HTTP forbids and Node lets pass, or what two parsers may read in two ways, is refused before any row looks at it. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRaw, postHead } from "../support/socket.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld("sqlite");
});
afterAll(() => world?.close());

async function answerTo(sent: string | Buffer): Promise<string> {
  const raw = await openRaw(world.url);
  raw.socket.write(sent);
  const text = await raw.until(/\r\n\r\n(\{.*\}|$)/s);
  raw.socket.destroy();
  return text;
}

const status = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const get = (path: string, hosts = ["localhost"], version = "1.1"): string =>
  [`GET ${path} HTTP/${version}`, ...hosts.map((host) => `Host: ${host}`), "", ""].join("\r\n");

describe("Host", () => {
  test.each<[hosts: string[], version: string, expected: number]>([
    [["localhost"], "1.1", 200],
    [["localhost:3000"], "1.1", 200],
    [["[::1]:3000"], "1.1", 200],
    [[""], "1.1", 200],
    [[], "1.0", 200],
    [[], "1.1", 400],
    [["localhost", "localhost"], "1.1", 400],
    [["localhost", "other.example"], "1.1", 400],
    [["a", "b"], "1.0", 400],
    [["local host"], "1.1", 400],
    [["user@localhost"], "1.1", 400],
    [["localhost/path"], "1.1", 400],
  ])("%j in HTTP/%s answers %d", async (hosts, version, expected) => {
    const answer = await answerTo(get("/healthz", hosts, version));
    expect(status(answer)).toBe(expected);
    if (expected === 400) expect(answer).toMatch(/connection: close.*"error":"bad_request"/is);
  });
});

describe("an address", () => {
  test.each<[path: string, expected: number]>([
    ["/healthz", 200],
    ["/healthz/", 200],
    ["/%68ealthz", 200],
    ["/healthz?next=/../docs&x=%2e%2e#", 200],
    ["http://localhost/healthz", 200],
    ["/docs/../healthz", 404],
    ["/docs/..", 404],
    ["/docs/..?x=1", 404],
    ["/./healthz", 404],
    ["/healthz/.", 404],
    ["/docs/%2e%2e/healthz", 404],
    ["/docs/%2E./healthz", 404],
    ["/%2e/healthz", 404],
    ["/docs/%252e%252e/healthz", 404],
    ["/docs\\..\\healthz", 404],
    ["\\healthz", 400],
    ["/healthz#docs", 404],
    ["//healthz", 404],
    ["http://localhost/docs/../healthz", 404],
    ["/api/v1/../../healthz", 404],
  ])("%s answers %d", async (path, expected) => {
    const answer = await answerTo(get(path));
    expect(status(answer)).toBe(expected);
    if (expected === 404) expect(answer).toContain('"error":"route.not_found"');
  });
});

describe("Content-Encoding", () => {
  const person = (): string => JSON.stringify({ location_id: world.north, first_name: "Zip", last_name: "" });
  const post = (body: string | Buffer, lines: string[]): Buffer =>
    Buffer.concat([
      Buffer.from(postHead(world.keys.owner!, [...lines, `Content-Length: ${Buffer.byteLength(body)}`])),
      Buffer.from(body),
    ]);

  test.each<[coding: string, packed: boolean, expected: number]>([
    ["gzip", true, 415],
    ["gzip", false, 415],
    ["br", false, 415],
    ["gzip, identity", false, 415],
    ["identity", false, 201],
    ["", false, 201],
  ])("%j (packed: %s) answers %d", async (coding, packed, expected) => {
    const body = packed ? gzipSync(person()) : person();
    const answer = await answerTo(post(body, ["Content-Type: application/json", `Content-Encoding: ${coding}`]));
    expect(status(answer)).toBe(expected);
    if (expected === 415) expect(answer).toMatch(/accept-encoding: identity.*"error":"unsupported_media_type"/is);
  });

  test("of nothing is nothing", async () => {
    // Without a body there is no location either.
    expect(status(await answerTo(post("", ["Content-Encoding: gzip"])))).toBe(404);
  });
});
