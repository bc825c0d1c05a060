/** Every operation with an app's token, with its scope and without it, at its location and at every other; and every event likewise. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { appInput } from "../../src/marketplace/apps/app.schema.ts";
import { eventNames, events } from "../../src/vocabulary/events.ts";
import { appScopeNames } from "../../src/vocabulary/scopes.ts";
import type { ScopeName } from "../../src/vocabulary/scopes.ts";
import { request } from "../support/client.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenDelivery, someTarget } from "../support/given-hooks.ts";
import { givenContact, made } from "../support/given.ts";
import { askToken, givenApp, givenOlga, givenTokens, refreshing } from "../support/marketplace.ts";
import type { Person } from "../support/person.ts";
import { makeRecords } from "../support/records.ts";
import type { Records } from "../support/records.ts";
import { inputOf, pathOf, jsonEndpoints } from "../support/specimens.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** All but the scope itself, and the write scope that implies it. */
const without = (needed: ScopeName) =>
  appScopeNames.filter((scope) => scope !== needed && scope !== needed.replace(/\.readonly$/, ".write"));

/** null where any token will do. */
const scopeOf = ({ operation }: Endpoint): ScopeName | null =>
  operation.may.scope === "any" || operation.may.scope === "none" ? null : operation.may.scope;

/** The others are for API keys alone. */
const ofApps = jsonEndpoints.filter((endpoint) => appScopeNames.includes(scopeOf(endpoint) ?? appScopeNames[0]!));

/** A webhook needs the scope of its event as well. */
const alsoNeeded = ({ operation }: Endpoint): ScopeName[] =>
  ["registerHook", "updateHook"].includes(operation.name) ? ["contacts.readonly"] : [];

/** Changes of what all locations share: never by a token, which is locked to one. */
const ofEveryLocation = new Set(["updateTag", "deleteTag", "updateCustomField", "deleteCustomField"]);

describe.each(sampleOf("OAuth: scopes", 1, databaseKinds))("an app's token on %s", (kind) => {
  let world: World;
  let olga: Person;
  let records: Records;
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    world = await createWorld(kind);
    records = await makeRecords(world);
    olga = await givenOlga(world);
  });
  afterAll(() => world?.close());

  /** Each of an app of its own: the latest consent decides for all tokens of one. */
  async function tokenWith(scopes: readonly ScopeName[]): Promise<string> {
    const key = scopes.join(" ");
    const known =
      tokens.get(key) ?? (await givenTokens(world, olga, await givenApp(world, { scopes }), world.north)).access_token;
    tokens.set(key, known);
    return known;
  }

  async function send(endpoint: Endpoint, key: string, locationId: number) {
    const { method } = endpoint;
    const path = `/api/v1${pathOf(endpoint, records)}`;
    if (method === "GET") return request(world.url, { method, path: `${path}?location_id=${locationId}`, key });
    return request(world.url, {
      method,
      path,
      key,
      body: { ...inputOf(endpoint.operation, records), location_id: locationId },
    });
  }

  describe.each(ofApps.map((endpoint) => [endpoint.operation.name, endpoint] as const))("%s", (_name, endpoint) => {
    test("without its scope", async () => {
      const scope = scopeOf(endpoint);
      if (scope === null) return;
      const answer = await send(endpoint, await tokenWith(without(scope)), world.north);
      expect([answer.status, answer.body.required_scope]).toEqual([403, scope]);
    });

    test("at another location, at another workspace's, and at none that is", async () => {
      const key = await tokenWith(appScopeNames);
      for (const id of [world.south, world.foreign, 999_999]) {
        const answer = await send(endpoint, key, id);
        expect([answer.status, answer.body]).toEqual([404, { error: "location.not_found" }]);
      }
    });

    test("with its scope", async () => {
      const scopes = [scopeOf(endpoint) ?? appScopeNames[0]!];
      const { status, text } = await send(endpoint, await tokenWith([...scopes, ...alsoNeeded(endpoint)]), world.north);
      if (ofEveryLocation.has(endpoint.operation.name)) {
        expect([status, text]).toEqual([403, expect.stringContaining("shared by all locations")]);
        return;
      }
      if (endpoint.operation.name === "openDossier") {
        expect([status, text]).toEqual([403, expect.stringContaining("Apps cannot read dossiers")]);
        return;
      }
      expect([401, 403, 500].includes(status), `${status} ${text}`).toBe(false);
      expect(text).not.toContain("location.not_found");
      // What is gone for good is made anew for those that come after.
      if (endpoint.method === "DELETE") records = await makeRecords(world);
    });
  });

  test("a token with fewer scopes is shown less of an answer that another token of the app was given before", async () => {
    const { id, email } = await givenContact(world);
    await made(world.send("owner", "POST", "/tasks", { location_id: world.north, contact_id: id, title: "Call" }));
    const app = await givenApp(world, { scopes: ["contacts.write", "tasks.readonly"] });
    const { access_token: wide, refresh_token } = await givenTokens(world, olga, app, world.north);
    const { body: narrow } = await askToken(world.url, { ...refreshing(app, refresh_token), scope: "contacts.write" });
    const tasksShownTo = async (key: string) => {
      const body = { location_id: world.north, email, company: "Analytical Engines" };
      const headers = { "idempotency-key": "upsert of a contact with a task" };
      const path = "/api/v1/contacts/upsert";
      const { contact } = await made(request(world.url, { method: "POST", path, key, body, headers }));
      return contact.tasks.map(({ title }: { title: string }) => title);
    };
    expect([await tasksShownTo(wide), await tasksShownTo(narrow.access_token)]).toEqual([["Call"], []]);
  });

  test("the scopes that set up a workspace are for API keys alone", async () => {
    const ofKeys = jsonEndpoints.filter((endpoint) => !ofApps.includes(endpoint));
    for (const scope of new Set(ofKeys.map((endpoint) => scopeOf(endpoint)!)))
      expect([scope, appInput.shape.scopes.safeParse([scope]).success]).toEqual([scope, false]);
    const token = await tokenWith(appScopeNames);
    for (const endpoint of ofKeys) {
      const { status, body } = await send(endpoint, token, world.north);
      expect([status, body.required_scope]).toEqual([403, scopeOf(endpoint)]);
    }
  });

  test("a delivery of its own webhook is found, and no other's", async () => {
    const key = await tokenWith(appScopeNames);
    const body = { event: "contact.created", target_url: someTarget };
    const own = (await request(world.url, { method: "POST", path: "/api/v1/hooks", key, body })).body.id;
    const another = { event: "contact.created", target_url: someTarget, location_id: world.north };
    const ofKey = (await made(world.send("owner", "POST", "/hooks", another))).id;
    const read = async (hook: number) => {
      const path = `/api/v1/hooks/deliveries/${await givenDelivery(world, hook)}`;
      const { status, body } = await request(world.url, { method: "GET", path, key });
      return [status, body.hook?.id ?? body.error];
    };
    expect(await read(own)).toEqual([200, own]);
    expect(await read(ofKey)).toEqual([404, "delivery.not_found"]);
  });

  test.each(eventNames.filter((name) => events[name].scope !== null))(
    "is told of %s with its scope alone",
    async (event) => {
      const register = async (scopes: readonly ScopeName[]) => {
        const body = { event, target_url: "https://hooks.example.com/crm" };
        const key = await tokenWith(["webhooks.write", ...scopes]);
        return (await request(world.url, { method: "POST", path: "/api/v1/hooks", key, body })).status;
      };
      expect([await register([]), await register([events[event].scope!])]).toEqual([403, 201]);
    },
  );
});
