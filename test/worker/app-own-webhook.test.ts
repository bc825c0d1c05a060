/** The own webhook of an app: told of installs, uninstalls and subscriptions, signed, retried, and managed by people alone. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../src/marketplace/apps/app.operations.ts";
import { updateApp as changeApp } from "../../src/marketplace/apps/app.service.ts";
import { updateApp } from "../../src/marketplace/billing/app-change.operations.ts";
import { listInstalls } from "../../src/marketplace/installs/install.queries.ts";
import { uninstallApp } from "../../src/marketplace/installs/install.service.ts";
import { listDeliveries, replayDelivery } from "../../src/webhooks/deliveries/delivery.operations.ts";
import { createHook, updateHook } from "../../src/webhooks/hooks/hook.operations.ts";
import { removeHook } from "../../src/webhooks/hooks/hook.service.ts";
import { pruneDeliveries } from "../../src/webhooks/sending/cleanup.ts";
import { findSignatureFault } from "../../src/webhooks/signature.ts";
import { report } from "../support/billing.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { callback, givenCode, givenOlga, givenTokens } from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import { meet } from "../support/meet.ts";
import type { Person } from "../support/person.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import type { TestReceiver } from "../support/receiver.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each([...databaseKinds])("the own webhook of an app on %s", (kind) => {
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

  const acme = () => world.service.inWorkspace(world.acme);
  const scopes = ["contacts.readonly", "webhooks.write"] as const;

  /** A draft with a webhook; `more` is further input. */
  async function givenOwn(more: object = {}, url: string | null = receiver.url) {
    const input = { name: "Ledgerline", redirect_uris: [callback], scopes: [...scopes], webhook_url: url, ...more };
    const app = await world.service.carryOut(createApp, acme(), { input });
    return { ...app, redirectUri: callback };
  }

  /** What `app` is told next. */
  async function told({ client_id }: Pick<TestApp, "client_id">) {
    for (let round = 0; round < 3; round += 1) await world.service.worker.runOnce();
    const heard = receiver.arrivals.splice(0).filter(({ data }) => data.app?.client_id === client_id);
    return heard.map(({ event, data }) => [event, data] as const).toSorted(([a], [b]) => a.localeCompare(b));
  }

  async function uninstall(app: TestApp, location: number): Promise<void> {
    const { data: installs } = await listInstalls(acme(), app.id, {});
    const { id } = installs.find((one) => one.location.id === location && one.status !== "uninstalled")!;
    await acme().change((change) => uninstallApp(change, id));
  }

  test("is told of an install, another consent and an uninstall, signed with its secret", async () => {
    const app = await givenOwn();
    const about = {
      app: { name: "Ledgerline", client_id: app.client_id },
      workspace_id: world.acme,
      location_id: world.north,
    };
    await givenTokens(world, olga, app, world.north, { scope: "contacts.readonly webhooks.write" });
    await world.service.worker.runOnce();
    const [arrival] = receiver.arrivals;
    expect(arrival).toMatchObject({ event: "app.installed", data: { ...about, scopes: [...scopes] } });
    expect(arrival!.headers).toMatchObject({
      "x-service-event": "app.installed",
      "x-service-delivery": String(arrival!.id),
    });
    const signed = { header: String(arrival!.headers["x-service-signature"]), secret: app.webhook_secret! };
    expect(app.webhook_secret).toMatch(/^whsec_/);
    expect(
      findSignatureFault({
        ...signed,
        body: Buffer.from(arrival!.body),
        now: world.clock.now().getTime(),
        toleranceSeconds: 300,
      }),
    ).toBeUndefined();
    receiver.arrivals.length = 0;
    await givenCode(olga, app, world.north, { scope: "contacts.readonly" });
    expect(await told(app)).toEqual([["app.installed", { ...about, scopes: ["contacts.readonly"] }]]);
    await uninstall(app, world.north);
    expect(await told(app)).toEqual([["app.uninstalled", about]]);
  });

  test("is told each change of a subscription once, and the end of it with the uninstall", async () => {
    const billing = { billing: "external" as const, payment_page_url: "https://app.example.com/pay" };
    const app = await givenOwn(billing);
    const pay = (status: string, paymentId: string) =>
      report(world.url, app, { locationId: world.south, status, paymentId, subscriptionId: "sub_1" });
    const moves = async () => (await told(app)).map(([event, { changes }]) => [event, changes?.[0]]);
    const moved = (old: string, status: string) => ["app.subscription_changed", { field: "status", old, new: status }];

    await pay("COMPLETED", "p1");
    expect(await told(app)).toEqual([
      [
        "app.subscription_changed",
        {
          app: { name: "Ledgerline", client_id: app.client_id },
          workspace_id: world.acme,
          location_id: world.south,
          status: "active",
          amount_cents: 2900,
          subscription_id: "sub_1",
          changes: [{ field: "status", old: "incomplete", new: "active" }],
        },
      ],
    ]);
    await pay("COMPLETED", "p2");
    expect(await moves()).toEqual([]);
    // Parallel reports of one payment are one change.
    await Promise.all(Array.from({ length: 10 }, () => pay("FAILED", "p3")));
    expect(await moves()).toEqual([moved("active", "past_due")]);
    await pay("COMPLETED", "p4");
    await givenCode(olga, app, world.south);
    expect(await moves()).toEqual([["app.installed", undefined], moved("past_due", "active")]);
    await uninstall(app, world.south);
    expect(await moves()).toEqual([moved("active", "canceled"), ["app.uninstalled", undefined]]);
    await pay("COMPLETED", "p5");
    expect(await moves()).toEqual([moved("canceled", "active")]);
  });

  test("no other webhook, log or timeline has it, and no API key and no token finds it", async () => {
    const input = { event: null, target_url: receiver.url };
    await world.service.carryOut(createHook, acme(), { input });
    const [silent, app] = [await givenOwn({}, null), await givenOwn()];
    const { access_token: token } = await givenTokens(world, olga, app, world.north, { scope: scopes.join(" ") });
    await givenTokens(world, olga, silent, world.north);
    await world.service.worker.runOnce();
    expect(receiver.arrivals.splice(0).map(({ event, data }) => [event, data.app?.client_id])).toEqual([
      ["app.installed", app.client_id],
    ]);
    const get = (path: string, key: string) => request(world.url, { method: "GET", path, key });
    const log = (await get("/api/v1/events?after=0&limit=100", world.keys.owner!)).body as {
      data: { event: string }[];
    };
    expect(log.data.filter(({ event }) => event.startsWith("app."))).toEqual([]);
    for (const key of [world.keys.owner!, token]) {
      expect((await get(`/api/v1/hooks/${app.webhook_id}`, key)).status).toBe(404);
      const listed = (await get("/api/v1/hooks", key)).body as { data: { id: number }[] };
      expect(listed.data.map(({ id }) => id)).not.toContain(app.webhook_id);
      const path = `/api/v1/hooks/${app.webhook_id}/rotate-secret`;
      expect((await request(world.url, { method: "POST", path, key, body: {} })).status).toBe(404);
    }
  });

  test("is retried, listed and replayed like any webhook; its old deliveries take their payloads along", async () => {
    let status = 500;
    await using flaky = await startReceiver(() => status);
    const app = await givenOwn({}, flaky.url);
    await givenCode(olga, app, world.north);
    await world.service.worker.runOnce();
    status = 200;
    world.clock.advance({ minutes: 1 });
    await world.service.worker.runOnce();
    expect(flaky.arrivals.map(({ event, id }) => [event, id])).toEqual([
      ["app.installed", flaky.arrivals[0]!.id],
      ["app.installed", flaky.arrivals[0]!.id],
    ]);
    const listed = await world.service.carryOut(listDeliveries, acme(), { hook: app.webhook_id!, query: {} });
    expect(listed.data).toMatchObject([{ event: "app.installed", state: "delivered", attempts: [{}, {}] }]);
    await world.service.carryOut(replayDelivery, acme(), { delivery: listed.data[0]!.id });
    await world.service.worker.runOnce();
    expect(flaky.arrivals).toHaveLength(3);
    const payloads = () => world.service.database.rows("select id from events where event like 'app.%'");
    expect((await payloads()).length).toBeGreaterThan(0);
    await pruneDeliveries(world.service.database, new Date(world.clock.now().getTime() + 1));
    expect(await payloads()).toEqual([]);
  });

  test("another URL keeps the secret; none ends it; a new one has a new secret", async () => {
    const { id } = await givenOwn();
    const change = (input: object) => world.service.carryOut(updateApp, acme(), { app: id, input });
    const moved = await change({ webhook_url: `${receiver.url}/2` });
    expect(moved).toMatchObject({ webhook_url: `${receiver.url}/2` });
    expect(moved).not.toHaveProperty("webhook_secret");
    expect(await change({ webhook_url: null })).toMatchObject({ webhook_url: null, webhook_id: null });
    const again = await change({ webhook_url: receiver.url });
    expect(again.webhook_secret).toMatch(/^whsec_/);
    expect(again.webhook_id).not.toBe(moved.webhook_id);
    expect(await change({ name: "Other" })).toMatchObject({ webhook_url: receiver.url, webhook_id: again.webhook_id });
  });

  test.each([
    ["http://10.0.0.1/", /not public|must be/i],
    ["nonsense", /must be/],
    ["https://user:pass@example.com/", /./],
  ])("refuses %s, on its field", async (url, sentence) => {
    await expect(givenOwn({}, url)).rejects.toMatchObject({
      errors: { webhook_url: [expect.stringMatching(sentence)] },
    });
  });

  test("another URL is that of a new one, where the webhook is removed meanwhile", async () => {
    const { id, webhook_id } = await givenOwn();
    const url = `${receiver.url}/other`;
    const changed = await meet(world.service.database, acme(), {
      first: (change) => removeHook(change, webhook_id!),
      second: (change) => changeApp(change, id, { webhook_url: url }),
    });
    expect(changed).toMatchObject({ value: { webhook_url: url, webhook_secret: expect.stringMatching(/^whsec_/) } });
  });

  test("its events are the app's, and cannot be chosen", async () => {
    const { webhook_id } = await givenOwn();
    const args = { hook: webhook_id!, input: { events: null } };
    await expect(world.service.carryOut(updateHook, acme(), args)).rejects.toMatchObject({
      errors: { events: [expect.stringMatching(/the webhook of an app/)] },
    });
  });
});
