/** CORS: which sites may use the API from a browser, and read what of its responses. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { request } from "../support/client.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const site = "https://app.example.com";

interface Row {
  readonly what: string;
  readonly path?: string;
  readonly origin?: string;
  readonly expected: string | null;
}

function rowsFor(allowed: string | null): Row[] {
  return [
    { what: "a program", expected: null },
    { what: "the site", origin: site, expected: allowed },
    { what: "the site, at an unknown address", path: "/api/v1/nothing", origin: site, expected: allowed },
    { what: "the site, outside of the API", path: "/sign-in", origin: site, expected: null },
    { what: "the site, for the OAuth endpoints", path: "/api/oauth/token", origin: site, expected: null },
  ];
}

const others = [
  "https://app.example.com.evil.example",
  "http://app.example.com",
  "https://app.example.com:8443",
  "null",
];

describe.each([
  ["no site is allowed", undefined, [...rowsFor(null)], null],
  ["one is", `${site}, http://localhost:5173`, rowsFor(site), "Origin"],
  ["all are", "*", rowsFor("*"), null],
] as const)("where %s", (_, origins, rows, vary) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld("sqlite", origins === undefined ? {} : { environment: { CRM_CORS_ORIGINS: origins } });
  });
  afterAll(() => world?.close());

  const ask = (method: string, path: string, headers: Readonly<Record<string, string>>) =>
    request(world.url, { method, path, headers });
  const allowedFor = (headers: Headers) => headers.get("access-control-allow-origin");

  test.each(rows)("$what", async ({ path = "/api/v1/contacts", origin, expected }) => {
    const { headers } = await ask("GET", path, origin === undefined ? {} : { origin });
    expect([allowedFor(headers), headers.get("access-control-allow-credentials")]).toEqual([expected, null]);
    // An unknown address is answered in what the client accepts.
    const varies = [vary, path.endsWith("/nothing") ? "accept" : null].filter((name) => name !== null);
    if (path.startsWith("/api/v1")) expect(headers.get("vary") ?? "").toBe(varies.join(", "));
    if (expected !== null) expect(headers.get("access-control-expose-headers")).toContain("X-Request-Id");
  });

  test.each(others)("another site: %s", async (origin) => {
    const { headers } = await ask("GET", "/api/v1/contacts", { origin });
    expect(allowedFor(headers)).toBe(origins === "*" ? "*" : null);
  });

  test("a preflight names the methods of the address and the headers, for a day", async () => {
    const { status, headers } = await ask("OPTIONS", "/api/v1/contacts/1", {
      origin: site,
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "authorization,content-type,if-match",
    });
    const names = ["access-control-allow-methods", "access-control-allow-headers", "access-control-max-age"];
    const told = names.map((name) => headers.get(name));
    const [methods, accepted] = ["DELETE, GET, HEAD, OPTIONS, PATCH", expect.stringMatching(/Authorization.*If-Match/)];
    expect([status, ...told]).toEqual([
      204,
      ...(origins === undefined ? [null, null, null] : [methods, accepted, "86400"]),
    ]);
  });
});
