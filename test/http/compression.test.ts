/** Compression: pages for requests of this site alone (BREACH), the reference and the API for every request, secrets never. */
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { z } from "zod";
import { endpoints } from "../../src/operations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { givenOlga } from "../support/marketplace.ts";
import type { Person } from "../support/person.ts";
import { request } from "../support/client.ts";
import { givenContact } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

let world: World;
let olga: Person;
beforeAll(async () => {
  world = await createWorld("sqlite");
  olga = await givenOlga(world);
});
afterAll(() => world?.close());

const browser = { "accept-encoding": "gzip, deflate, br" };
const ours = { ...browser, "sec-fetch-site": "same-origin" };

test.each([
  ["a link of this site", "/w/{workspace}/keys", ours, "gzip"],
  ["a bookmark", "/w/{workspace}/keys", { ...browser, "sec-fetch-site": "none" }, "gzip"],
  ["a link of another site", "/w/{workspace}/keys", { ...browser, "sec-fetch-site": "cross-site" }, null],
  ["a link of another host of the domain", "/w/{workspace}/keys", { ...browser, "sec-fetch-site": "same-site" }, null],
  ["a browser without Sec-Fetch-Site", "/w/{workspace}/keys", browser, null],
  ["a client that refuses gzip", "/w/{workspace}/keys", { ...ours, "accept-encoding": "gzip;q=0, br" }, null],
  ["a page with the secret of an authenticator", "/me/two-factor", ours, null],
  ["the reference, from anywhere", "/docs/contacts/list", { ...browser, "sec-fetch-site": "cross-site" }, "br"],
  ["the OpenAPI document, from a program", "/openapi.json", { "accept-encoding": "gzip" }, "gzip"],
  ["health", "/healthz", ours, null],
])("%s: %s with %j is %s", async (_what, path, headers, coding) => {
  const page = await olga.get(path.replace("{workspace}", String(world.acme)), headers);
  expect([page.status, page.headers.get("content-encoding")]).toEqual([200, coding]);
  expect(page.headers.get("vary") ?? "").toMatch(path.startsWith("/w/") ? /accept-encoding, sec-fetch-site$/ : /^/);
  // fetch has decoded it.
  expect(page.text).toMatch(/<\/html>$|^\{/);
});

test("an answer that shows a secret is sent as it is", async () => {
  const form = await olga.get(`/w/${world.acme}/keys/new`, ours);
  expect(form.headers.get("content-encoding")).toBe("gzip");
  const fields = { name: "Website forms", scopes: "contacts.write", where: "all", expires: "never" };
  const shown = await olga.submit(form, fields, ours);
  expect([shown.status, /crm_key_\w{36}/.test(shown.text), shown.headers.get("content-encoding")]).toEqual([
    200,
    true,
    null,
  ]);
});

/** A request of the API as bytes: fetch would decode them, and hide what decodes them. */
async function ask(path: string, headers: Readonly<Record<string, string>>, method = "GET", at = world): Promise<Raw> {
  const client = httpRequest(`${at.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${at.keys.owner}`, ...headers },
  });
  client.end();
  const [message] = (await once(client, "response")) as [IncomingMessage];
  return { status: message.statusCode!, headers: message.headers, bytes: await buffer(message) };
}

interface Raw {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  zstd: zstdDecompressSync,
  gzip: gunzipSync,
  br: brotliDecompressSync,
  identity: (bytes) => bytes,
};

/** The paths of one contact and of the list, both past 1 KiB. */
async function givenLongAnswers(at = world): Promise<{ one: string; list: string }> {
  const { id } = await givenContact(at, { source: "x".repeat(200), interest: "y".repeat(200) });
  for (const body of ["Asked for a price list. ".repeat(40), "Called back. ".repeat(60)])
    await at.send("owner", "POST", `/contacts/${id}/notes`, { location_id: at.north, body });
  return { one: `/contacts/${id}?location_id=${at.north}`, list: `/contacts/${id}/notes?location_id=${at.north}` };
}

test.each([
  [undefined, "identity"],
  ["gzip, deflate, br, zstd", "zstd"],
  ["gzip, deflate, br", "gzip"],
  ["br", "identity"],
  ["gzip;q=0.8, zstd;q=0.5", "gzip"],
  ["zstd;q=0, *;q=0.1", "gzip"],
  ["gzip;q=0", "identity"],
  ["gzip;q=0.5, identity", "identity"],
])("Accept-Encoding %j of an API request: %s, which says the same", async (accepted, coding) => {
  const { list } = await givenLongAnswers();
  const plain = await ask(list, {});
  const coded = await ask(list, accepted === undefined ? {} : { "accept-encoding": accepted });
  expect(plain.headers).toMatchObject({ vary: "accept-encoding", "content-length": String(plain.bytes.length) });
  expect([coded.headers["content-encoding"] ?? "identity", coded.headers.vary]).toEqual([coding, "accept-encoding"]);
  expect(coded.headers["content-length"]).toBe(String(coded.bytes.length));
  expect(decoders[coding]!(coded.bytes)).toEqual(plain.bytes);
  if (coding !== "identity") expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 2);
});

test("HEAD has the headers of the coded GET and no body; what is short, empty or an error is sent as it is", async () => {
  const { list, one } = await givenLongAnswers();
  const asked = { "accept-encoding": "gzip" };
  const [get, head] = [await ask(list, asked), await ask(list, asked, "HEAD")];
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
  for (const name of ["content-encoding", "content-length", "vary"]) expect(head.headers[name]).toBe(get.headers[name]);
  const short = await ask("/me", asked);
  const missing = await ask(one.replace(/\d+/, "999999"), asked);
  const removed = await ask(one, asked, "DELETE");
  expect([short, missing, removed].map(({ status, headers }) => [status, headers["content-encoding"]])).toEqual([
    [200, undefined],
    [404, undefined],
    [204, undefined],
  ]);
});

test("each coding has a strong ETag of its own, and any of them names the record", async () => {
  const { one } = await givenLongAnswers();
  const tagOf = async (coding: string) => (await ask(one, { "accept-encoding": coding })).headers.etag!;
  const [plain, gzip, zstd] = [await tagOf("identity"), await tagOf("gzip"), await tagOf("zstd")];
  expect([gzip, zstd]).toEqual([plain.replace(/"$/, '-gzip"'), plain.replace(/"$/, '-zstd"')]);
  for (const known of [plain, gzip, zstd, `"other", W/${gzip}`]) {
    const { status, headers, bytes } = await ask(one, { "accept-encoding": "gzip", "if-none-match": known });
    expect([status, bytes.length, headers.vary, headers["content-encoding"]]).toEqual([
      304,
      0,
      "accept-encoding",
      undefined,
    ]);
    expect(known).toContain(headers.etag);
  }
  expect((await ask(one, { "if-match": zstd })).status).toBe(200);
  expect((await ask(one, { "if-match": `W/${zstd}` })).status).toBe(412);
  expect((await ask(one, { "if-match": plain.replace(/"$/, '-deflate"') })).status).toBe(412);
  const path = one.split("?")[0]!;
  const patch = { location_id: world.north, last_name: "King" };
  expect((await world.send("owner", "PATCH", path, patch, { "if-match": gzip })).status).toBe(200);
  expect((await world.send("owner", "PATCH", path, patch, { "if-match": gzip })).status).toBe(412);
});

test("a long answer is compressed in a thread, and sent as it is where two are at work", async () => {
  const notes = Array.from({ length: 12 }, (_, n) => `${n} ${"Asked for a price list. ".repeat(80)}`);
  const { list } = await givenLongAnswers();
  const path = list.split("?")[0]!;
  for (const body of notes) await world.send("owner", "POST", path, { location_id: world.north, body });
  const { bytes } = await ask(list, {});
  expect(bytes.length).toBeGreaterThan(16_384);
  const answers = await Promise.all(Array.from({ length: 16 }, () => ask(list, { "accept-encoding": "gzip" })));
  for (const answer of answers)
    expect(decoders[answer.headers["content-encoding"] ?? "identity"]!(answer.bytes)).toEqual(bytes);
  expect(answers.some(({ headers }) => headers["content-encoding"] === "gzip")).toBe(true);
});

test.each([
  ["off", "gzip, br, zstd", undefined],
  ["br,gzip", "gzip, br, zstd", "br"],
  ["br,gzip", "gzip;q=1, br;q=0.9", "gzip"],
])("CRM_COMPRESSION=%s answers %j with %s", async (setting, accepted, coding) => {
  const other = await createWorld("sqlite", { environment: { CRM_COMPRESSION: setting } });
  try {
    const { list } = await givenLongAnswers(other);
    const { headers } = await ask(list, { "accept-encoding": accepted }, "GET", other);
    expect([headers["content-encoding"], headers.vary]).toEqual([
      coding,
      setting === "off" ? undefined : "accept-encoding",
    ]);
  } finally {
    await other.close();
  }
});

test("no answer with a secret or a signed URL is compressed: the operation says so", () => {
  const revealing = endpoints.filter(({ operation: { gives } }) => gives !== null && reveals(gives));
  expect(revealing.length).toBeGreaterThan(12);
  for (const { operation, isCompressible } of revealing)
    expect([operation.name, isCompressible]).toEqual([operation.name, false]);
});

/** Whether the description of a field says that it is a secret, or that no credential is needed. */
function reveals(gives: z.ZodType): boolean {
  return /shown only once|is a secret|without a credential/i.test(
    JSON.stringify(z.toJSONSchema(gives, { unrepresentable: "any" })),
  );
}

test("HEAD answers with the headers of GET", async () => {
  const [get, head] = await Promise.all(
    ["GET", "HEAD"].map((method) => request(world.url, { method, path: "/docs/contacts/list", headers: browser })),
  );
  for (const name of ["content-encoding", "etag", "content-length", "vary"])
    expect([name, head!.headers.get(name)]).toEqual([name, get!.headers.get(name)]);
});
