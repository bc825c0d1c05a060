/** An endpoint that will go says so in every response (RFC 9745, RFC 8594), and in the OpenAPI document. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { at } from "../../src/http/endpoint.ts";
import { toOpenApi } from "../../src/http/documents/openapi.ts";
import { operation } from "../../src/operation/operation.ts";
import { deprecationHeaders } from "../../src/http/response/deprecation.ts";
import { endpoints as all } from "../../src/operations.ts";
import { request } from "../support/client.ts";
import { startSmallApp } from "../support/small-app.ts";
import type { SmallApp } from "../support/small-app.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const shown = (name: string) =>
  operation({
    name,
    summary: "",
    noun: "Notes",
    may: { scope: "contacts.readonly", role: "member" },
    gives: z.object({ name: z.string() }),
    read: async () => ({ name }),
  });
const see = "/docs/contacts/list";
const endpoints = [
  at("GET", "/current", shown("getCurrent"), 200),
  at("GET", "/old", shown("getOld"), 200, { deprecated: { since: "2027-03-01", sunset: "2027-10-01", see } }),
  at("GET", "/older", shown("getOlder"), 200, { deprecated: { since: "2027-03-01", see } }),
];

let world: World;
let app: SmallApp;
beforeAll(async () => {
  world = await createWorld("sqlite");
  app = await startSmallApp(world, { endpoints });
});
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await world?.close();
});

const link = `<${see}>; rel="deprecation"; type="text/html"`;

test.each([
  ["/current", [null, null, null]],
  ["/old", ["@1803859200", "Fri, 01 Oct 2027 00:00:00 GMT", link]],
  ["/older", ["@1803859200", null, link]],
])("%s says %j, to valid and to refused requests", async (path, said) => {
  for (const [key, status] of [
    [world.keys.owner, 200],
    [undefined, 401],
  ] as const) {
    const { headers, ...answer } = await request(app.url, {
      method: "GET",
      path: `/api/v1${path}?location_id=${world.north}`,
      key,
    });
    expect(answer.status).toBe(status);
    expect(["deprecation", "sunset", "link"].map((name) => headers.get(name))).toEqual(said);
  }
});

test("the OpenAPI document marks them", () => {
  const { paths } = toOpenApi({ endpoints, routes: [], events: [] }, { version: "1", serverUrl: "/" }) as {
    paths: Record<string, Record<string, { deprecated?: boolean }>>;
  };
  expect(Object.values(paths).map(({ get }) => get!.deprecated)).toEqual([undefined, true, true]);
});

test.each([
  [{ since: "2027-3-1", see }, /2027-3-1 is no day/],
  [{ since: "2027-03-01", sunset: "soon", see }, /soon is no day/],
  [{ since: "2027-03-01", sunset: "2027-03-01", see }, /is not after/],
])("a row with %j is refused at the start", (deprecated, why) => {
  expect(() => deprecationHeaders(deprecated)).toThrow(why);
});

test("every sunset of the service leaves half a year", () => {
  for (const { path, deprecation } of all.filter((endpoint) => endpoint.deprecation?.["sunset"] !== undefined)) {
    const days = (Date.parse(deprecation!["sunset"]!) / 1000 - Number(deprecation!["deprecation"]!.slice(1))) / 86_400;
    expect([path, days >= 180]).toEqual([path, true]);
  }
});
