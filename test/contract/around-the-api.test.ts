/** The endpoints around the API: health, documents, unknown paths and unsupported methods. */
import { expect } from "vitest";
import { afterAll, beforeAll, describe, test } from "vitest";
import { updateHook } from "../../src/webhooks/hooks/hook.service.ts";
import { endpoints } from "../../src/operations.ts";
import { routeDocuments } from "../../src/routes.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenDelivery, givenHook } from "../support/given-hooks.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** Makes each database reject writes for a while. */
const refusals = {
  sqlite: { refuse: ["pragma query_only = on"], accept: ["pragma query_only = off"], why: "refused" },
  postgres: {
    refuse: [
      "create function full_disk() returns trigger language plpgsql as $$ begin raise 'no space left on device' using errcode = 'disk_full'; end $$",
      ...["contacts", "installation"].map(
        (table) => `create trigger full_disk before insert or update on ${table} execute function full_disk()`,
      ),
    ],
    accept: ["drop function full_disk() cascade"],
    why: "disk_full",
  },
} as const;

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());
  const get = (path: string, method = "GET") => request(world.url, { method, path });

  test("/healthz reports that the process is alive", async () => {
    expect(await get("/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
  });

  test("/readyz reports that the database is reachable and migrated, and when a worker was last seen", async () => {
    expect(await get("/readyz")).toMatchObject({
      status: 200,
      body: { status: "ready", database: "ok", schema: "ok", writes: "ok", worker_seen_at: null },
    });
    await world.service.worker.runOnce();
    expect((await get("/readyz")).body.worker_seen_at).toBe(world.clock.now().toISOString());
  });

  test("/readyz reports since when the oldest delivery is due, and stays ready", async () => {
    expect((await get("/readyz")).body.oldest_due_delivery_at).toBeNull();
    const due = world.clock.now().toISOString();
    const hook = await givenHook(world);
    await givenDelivery(world, hook.id);
    world.clock.advance({ minutes: 1 });
    await givenDelivery(world, hook.id);
    expect(await get("/readyz")).toMatchObject({ status: 200, body: { status: "ready", oldest_due_delivery_at: due } });
    // Deliveries of paused webhooks do not count.
    await world.service.inWorkspace(world.acme).change((change) => updateHook(change, hook.id, { status: "paused" }));
    expect((await get("/readyz")).body.oldest_due_delivery_at).toBeNull();
  });

  test("/readyz reports that writes fail and why, until a write succeeds again", async () => {
    const { refuse, accept, why } = refusals[kind];
    // Outside a transaction: SQLite would reject that too.
    const carryOut = (text: string) => world.service.database.orm.em.getConnection().execute(text);
    const change = () =>
      world.send("owner", "POST", "/contacts", { location_id: world.north, first_name: "Full", last_name: "Disk" });
    for (const text of refuse) await carryOut(text);
    try {
      // Unknown until a write is attempted.
      expect(await get("/readyz")).toMatchObject({ status: 200, body: { writes: "ok" } });
      expect((await change()).status).toBe(503);
      const unready = await get("/readyz");
      expect(unready).toMatchObject({ status: 503, body: { status: "not_ready", database: "ok", writes: why } });
      expect(unready.headers.get("retry-after")).toBe("1");
      expect((await get("/healthz")).status).toBe(200);
    } finally {
      for (const text of accept) await carryOut(text);
    }
    await expect.poll(() => get("/readyz")).toMatchObject({ status: 200, body: { status: "ready", writes: "ok" } });
    expect((await change()).status).toBe(201);
  });

  test.each([
    [
      "a database of another program as unavailable",
      ["schema_migrations rename to theirs", "theirs rename to schema_migrations"],
      { status: 503, body: { status: "not_ready", database: "unavailable", schema: "unknown" } },
    ],
    [
      "a statement that fails as the defect that it is",
      ["installation rename column worker_seen_at to seen", "installation rename column seen to worker_seen_at"],
      { status: 500, body: { error: "server_error" } },
    ],
  ])("/readyz reports %s", async (_what, [change, restore], answer) => {
    const alter = (text = "") => world.service.database.transaction(({ rowsOnce }) => rowsOnce(`alter table ${text}`));
    await alter(change);
    try {
      expect(await get("/readyz")).toMatchObject(answer);
    } finally {
      await alter(restore);
    }
    expect((await get("/readyz")).status).toBe(200);
  });

  test("/openapi.json describes every operation once", async () => {
    const { body } = await get("/openapi.json");
    expect(body.openapi).toBe("3.1.0");
    const described = Object.entries<Record<string, { operationId: string }>>(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
    );
    expect(described.toSorted()).toEqual(
      [
        ...endpoints.map(({ method, path, operation }) => `${method} /api/v1${path} ${operation.name}`),
        ...routeDocuments.map(({ method, path, name }) => `${method} ${path} ${name}`),
      ].toSorted(),
    );
  });

  test("/openapi.json names the address at which it was requested as its server", async () => {
    expect((await get("/openapi.json")).body.servers).toEqual([{ url: "/" }]);
  });

  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const front = (accept: string) => request(world.url, { method: "GET", path: "/", headers: { accept } });

  describe("/", () => {
    test("tells programs the name of the service and whether it is ready", async () => {
      const answer = await front("*/*");
      expect([answer.status, answer.headers.get("vary")]).toEqual([200, "accept"]);
      expect(answer.body).toEqual({
        name: "crm",
        version: "0.0.0",
        status: "ready",
        docs: "/docs",
        openapi: "/openapi.json",
      });
    });

    test("shows people the sign-in page, without external or inline resources", async () => {
      const page = await front(browser);
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'.*style-src 'self';/);
      expect(page.text).toMatch(/<h1>Sign in<\/h1>.*Version 0\.0\.0/s);
      expect(page.text).not.toMatch(/<script(?! type="module" src=)|<style|style=|\son\w+=/);
      const addresses = [...page.text.matchAll(/(?:src|href)="([^"#]+)/g)].map(([, address]) => address!);
      expect(addresses).toEqual(expect.arrayContaining(["/docs", "/forgotten-password"]));
      for (const address of addresses) {
        const { pathname, origin } = new URL(address, `${world.url}/`);
        expect([origin, (await get(pathname)).status]).toEqual([world.url, 200]);
      }
    });

    test("says why it is not ready", async () => {
      const { database } = world.service;
      await database.transaction(({ rows }) => rows("insert into schema_migrations (name) values ('Migration_later')"));
      try {
        expect((await front("application/json")).body).toMatchObject({ status: "not_ready" });
        expect((await front(browser)).text).toMatch(
          /class="notice danger".*<strong>Not ready<\/strong> The database is newer/s,
        );
      } finally {
        await database.transaction(({ rows }) => rows("delete from schema_migrations where name = 'Migration_later'"));
      }
    });
  });

  test("/docs and all of its resources come from this process, under the policy of all pages", async () => {
    const page = await get("/docs/contacts/create");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toBe(
      (await front(browser)).headers.get("content-security-policy"),
    );
    expect(page.text).not.toMatch(/<script(?! type="module" src=)|<style|style=|\son\w+=/);
    const loaded = [...page.text.matchAll(/<(?:link|script)\b[^>]*(?:src|href)="([^"]+)"/g)].map(
      ([, address]) => address!,
    );
    expect(loaded.length).toBeGreaterThan(4);
    for (const address of loaded) expect([address, (await get(address)).status]).toEqual([address, 200]);
  });

  test("/favicon.ico is an icon", async () => {
    const answer = await fetch(`${world.url}/favicon.ico`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/x-icon"]);
    expect([...new Uint8Array(await answer.arrayBuffer())].slice(0, 4)).toEqual([0, 0, 1, 0]);
  });

  test.each([
    ["text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8", "Page not found"],
    ["application/json", "application/json", '"error":"route.not_found"'],
    ["*/*", "application/json", '"error":"route.not_found"'],
  ])("a mistyped address answers %s with %s", async (accept, type, says) => {
    for (const path of ["/singin", "/api/v1/contcats", "/docs/x", "/docs/contacts/x", "/docs/contacts/list/x"]) {
      const answer = await request(world.url, { method: "GET", path, headers: { accept } });
      expect([answer.status, answer.headers.get("vary")]).toEqual([404, "accept"]);
      expect(answer.headers.get("content-type")).toMatch(type);
      expect(answer.text).toContain(says);
      expect(answer.text).toContain(answer.headers.get("x-request-id"));
    }
  });

  test.each([
    ["GET", "/nothing", 404, "route.not_found"],
    ["POST", "/", 405, "method_not_allowed"],
    ["GET", "/api/v1/nothing?secret=1", 404, "route.not_found"],
    ["GET", "/api/v2/contacts", 404, "route.not_found"],
    ["PUT", "/api/v1/contacts", 405, "method_not_allowed"],
    ["DELETE", "/api/v1/locations", 405, "method_not_allowed"],
  ])("%s %s answers %d %s", async (method, path, status, error) => {
    const answer = await get(path, method);
    expect(answer).toMatchObject({
      status,
      body: { error, message: expect.any(String), request_id: answer.headers.get("x-request-id") },
    });
    expect(answer.text).not.toContain("secret");
  });

  test("405 and OPTIONS name the allowed methods", async () => {
    expect((await get("/api/v1/contacts", "PUT")).headers.get("allow")).toBe("GET, HEAD, OPTIONS, POST");
    const options = await get("/api/v1/contacts/{id}".replace("{id}", "1"), "OPTIONS");
    expect([options.status, options.headers.get("allow")]).toEqual([204, "DELETE, GET, HEAD, OPTIONS, PATCH"]);
  });

  test("HEAD responds like GET, without the body", async () => {
    const answer = await request(world.url, {
      method: "HEAD",
      path: `/api/v1/contacts?location_id=${world.north}`,
      key: world.keys.owner,
    });
    expect([answer.status, answer.text]).toEqual([200, ""]);
  });
});

test("/openapi.json and / name CRM_BASE_URL where that is set", async () => {
  const world = await createWorld("sqlite", { environment: { CRM_BASE_URL: "https://example.com/crm/" } });
  try {
    const { body } = await request(world.url, { method: "GET", path: "/openapi.json" });
    expect(body.servers).toEqual([{ url: "https://example.com/crm" }]);
    const { body: front } = await request(world.url, { method: "GET", path: "/" });
    expect(front).toMatchObject({ docs: "https://example.com/crm/docs" });
  } finally {
    await world.close();
  }
});
