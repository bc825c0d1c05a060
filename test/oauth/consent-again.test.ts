/** A new consent for the same app and location replaces the one before: what was issued earlier keeps at most the new scopes, at once. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findInstallsIn } from "../../src/marketplace/installs/install.queries.ts";

import type { ScopeName } from "../../src/vocabulary/scopes.ts";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, made } from "../support/given.ts";
import {
  askToken,
  givenApp,
  givenCode,
  givenOlga,
  givenTokens,
  redeeming,
  refreshing,
} from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import type { Person } from "../support/person.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import type { TestReceiver } from "../support/receiver.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** What was allowed first, what is allowed then, and what of the first is left. */
const rows: readonly [first: string, then: string, left: string][] = [
  ["contacts.readonly tags.write", "contacts.readonly", "contacts.readonly"],
  ["contacts.readonly tags.write", "tags.write contacts.readonly", "contacts.readonly tags.write"],
  ["contacts.readonly", "contacts.readonly tags.write", "contacts.readonly"],
  ["tags.write contacts.readonly", "tags.readonly", "tags.readonly"],
  ["tags.readonly", "tags.write", "tags.readonly"],
  ["contacts.readonly", "tags.write", ""],
];

describe.each(sampleOf("OAuth: consent again", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let olga: Person;
  let receiver: TestReceiver;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback });
    olga = await givenOlga(world);
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver?.[Symbol.asyncDispose]();
    await world?.close();
  });

  const consentTo = (app: TestApp, scope: string) => givenCode(olga, app, world.north, { scope });
  const tokensOf = (app: TestApp, scope: string) => givenTokens(world, olga, app, world.north, { scope });

  /** What a token may do, of what these tests give. */
  async function powersOf(key: string): Promise<string> {
    const ask = async (method: string, path: string, body?: object) =>
      (await request(world.url, { method, path: `/api/v1${path}`, key, body })).status;
    const tried: [ScopeName, number][] = [
      ["contacts.readonly", await ask("GET", `/contacts?location_id=${world.north}`)],
      ["tags.write", await ask("POST", "/tags", {})],
      ["tags.readonly", await ask("GET", "/tags")],
    ];
    const may = tried.filter(([, status]) => status !== 403).map(([scope]) => scope);
    return may.filter((scope) => scope !== "tags.readonly" || !may.includes("tags.write")).join(" ");
  }

  test.each(rows)("of %j, after a consent to %j, %j is left", async (first, then, left) => {
    const app = await givenApp(world);
    const before = await tokensOf(app, first);
    const code = await consentTo(app, first);
    const inSouth = await givenTokens(world, olga, app, world.south, { scope: "tags.write" });
    const ofOther = await tokensOf(await givenApp(world, { name: "Other" }), first);
    const untouched = await powersOf(ofOther.access_token);

    await consentTo(app, then);
    expect(await powersOf(before.access_token)).toBe(left);
    const refreshed = await askToken(world.url, refreshing(app, before.refresh_token));
    const redeemed = await askToken(world.url, redeeming(app, code));
    for (const { status, body } of [refreshed, redeemed]) {
      const granted = status === 200 ? body.scope.split(" ").toSorted().join(" ") : body.error;
      expect(granted).toBe(left === "" ? "invalid_grant" : left);
      if (status === 200) expect(await powersOf(body.access_token)).toBe(left);
    }
    expect(await powersOf(ofOther.access_token)).toBe(untouched);
    expect((await request(world.url, { method: "GET", path: "/api/v1/tags", key: inSouth.access_token })).status).toBe(
      200,
    );
  });

  test("a refresh asks for no scope that the new consent left out", async () => {
    const app = await givenApp(world);
    const { refresh_token } = await tokensOf(app, "contacts.readonly tags.write");
    await consentTo(app, "contacts.readonly");
    const wide = await askToken(world.url, { ...refreshing(app, refresh_token), scope: "tags.write" });
    expect([wide.status, wide.body.error]).toEqual([400, "invalid_scope"]);
  });

  test("webhooks lose the events that the new consent leaves out, and have them again with a wider one", async () => {
    const app = await givenApp(world);
    const wide = "contacts.readonly tags.readonly webhooks.write";
    const { access_token: key } = await tokensOf(app, wide);
    const own = await tokensOf(await givenApp(world, { name: "Other" }), wide);
    for (const [token, path] of [
      [key, "/app"],
      [own.access_token, "/other"],
    ] as const) {
      const body = { event: "contact.created", target_url: receiver.url + path.slice(1) };
      await made(request(world.url, { method: "POST", path: "/api/v1/hooks", key: token, body }));
    }
    const heard = async () => {
      receiver.arrivals.length = 0;
      await givenContact(world);
      for (let round = 0; round < 3; round += 1) await world.service.worker.runOnce();
      return receiver.arrivals.length;
    };
    expect(await heard()).toBe(2);
    await consentTo(app, "tags.readonly webhooks.write");
    expect(await heard()).toBe(1);
    await consentTo(app, wide);
    expect(await heard()).toBe(2);
  });

  test("what happened before a narrower consent, and was not sent yet, is judged by it", async () => {
    const app = await givenApp(world);
    const { access_token: key } = await tokensOf(app, "contacts.readonly webhooks.write");
    const body = { event: "contact.created", target_url: receiver.url };
    await made(request(world.url, { method: "POST", path: "/api/v1/hooks", key, body }));
    await givenContact(world);
    await consentTo(app, "webhooks.write");
    receiver.arrivals.length = 0;
    for (let round = 0; round < 3; round += 1) await world.service.worker.runOnce();
    const hooks = await world.service.database.rows<{ n: number }>(
      "select count(*) as n from deliveries join hooks on hooks.id = hook_id where hooks.app_id = ?",
      [app.id],
    );
    expect(Number(hooks[0]!.n)).toBe(0);
  });

  test("what waits to be tried again when the scope of its event is taken away is canceled", async () => {
    const app = await givenApp(world);
    const { access_token: key } = await tokensOf(app, "contacts.readonly tags.readonly webhooks.write");
    let status = 500;
    await using flaky = await startReceiver(() => status);
    const body = { event: "contact.created", target_url: flaky.url };
    await made(request(world.url, { method: "POST", path: "/api/v1/hooks", key, body }));
    await givenContact(world);
    const work = async () => {
      for (let round = 0; round < 3; round += 1) await world.service.worker.runOnce();
    };
    await work();
    expect(flaky.arrivals).toHaveLength(1);
    status = 200;
    await consentTo(app, "tags.readonly webhooks.write");
    world.clock.advance({ minutes: 1 });
    await work();
    expect(flaky.arrivals).toHaveLength(1);
    const states = await world.service.database.rows<{ state: string }>(
      "select deliveries.state from deliveries join hooks on hooks.id = hook_id where target_url = ?",
      [flaky.url],
    );
    expect(states).toEqual([{ state: "canceled" }]);
  });

  test("twenty consents at once leave one install, and one of them decides for all tokens", async () => {
    const app = await givenApp(world);
    const choices = ["contacts.readonly", "contacts.readonly tags.readonly", "tags.readonly"];
    const codes = await Promise.all(Array.from({ length: 20 }, (_, n) => consentTo(app, choices[n % choices.length]!)));
    const installs = (await findInstallsIn(world.service.database, [world.north])).filter(
      ({ app: { id } }) => id === app.id,
    );
    expect(installs).toHaveLength(1);
    const allowed = installs[0]!.scopes;
    for (const code of codes) {
      const { status, body } = await askToken(world.url, redeeming(app, code));
      if (status !== 200) continue;
      for (const scope of body.scope.split(" ")) expect(allowed).toContain(scope);
    }
  });
});
