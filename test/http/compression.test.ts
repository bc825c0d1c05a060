/** Compression: pages for requests of this site alone (BREACH), the reference for every request, secrets and API answers never. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { givenOlga } from "../support/marketplace.ts";
import type { Person } from "../support/person.ts";
import { request } from "../support/client.ts";
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

test("answers of the API are sent as they are", async () => {
  const path = `/api/v1/contacts?location_id=${world.north}`;
  const { status, headers } = await request(world.url, { method: "GET", path, key: world.keys.owner, headers: ours });
  expect([status, headers.get("content-encoding")]).toEqual([200, null]);
});

test("HEAD answers with the headers of GET", async () => {
  const [get, head] = await Promise.all(
    ["GET", "HEAD"].map((method) => request(world.url, { method, path: "/docs/contacts/list", headers: browser })),
  );
  for (const name of ["content-encoding", "etag", "content-length", "vary"])
    expect([name, head!.headers.get(name)]).toEqual([name, get!.headers.get(name)]);
});
