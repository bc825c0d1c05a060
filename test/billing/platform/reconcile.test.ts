/** Lost, repeated, reordered and hostile webhooks do not change what the ledger holds after reconciliation. */
import { Stripe } from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forgetEvents } from "../../../src/marketplace/billing/platform/events/apply-events.ts";
import { reconcileBilling } from "../../../src/marketplace/billing/platform/platform.operations.ts";
import { databaseKinds } from "../../support/databases.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PlatformWorld } from "../../support/platform-billing.ts";

describe.each([...databaseKinds])("on %s", (kind) => {
  let platform: PlatformWorld;
  beforeAll(async () => {
    platform = await createPlatformWorld(kind);
    // The worker's first run reconciles; it happens before the tests.
    await platform.world.service.worker.runOnce();
  });
  afterAll(() => platform?.close());

  const reconcile = () => platform.world.service.carryOut(reconcileBilling, platform.world.service.operator, {});
  const stored = async () =>
    (await platform.world.service.database.rows<{ stripe_id: string }>("select stripe_id from stripe_events")).length;

  test("events that come twice and in reverse are each stored once, and change nothing twice", async () => {
    const { stripe } = platform;
    await platform.install(await platform.givenApp({ trialDays: 0 }));
    const events = stripe.books.unsent.splice(0);
    const before = await stored();
    await platform.settle([...events.toReversed(), ...events]);
    expect(await stored()).toBe(before + events.filter(({ type }) => type !== "account.updated").length + 1);
    expect(await platform.ledger()).toEqual(platform.books());
  });

  test("an applied event is forgotten after thirty days, and one that waits is not", async () => {
    const { database } = platform.world.service;
    await database.transaction(({ rows }) =>
      rows("update stripe_events set applied_at = null where type = 'charge.succeeded'"),
    );
    const [waiting] = await database.rows<{ n: number }>(
      "select count(*) as n from stripe_events where applied_at is null",
    );
    const forget = () => database.transaction((change) => forgetEvents(change, platform.clock.now()));
    expect(await forget()).toBe(0);
    await platform.pass({ days: 30 });
    expect(await forget()).toBeGreaterThan(0);
    expect(await stored()).toBe(waiting!.n);
    await platform.settle();
  });

  test("what lost webhooks would have said is found by reconcile, once", async () => {
    const { stripe } = platform;
    await platform.install(await platform.givenApp({ trialDays: 0 }));
    const [charge] = [...stripe.books.charges.values()].slice(-1);
    stripe.books.createRefund(charge!.id, 700, { reverses: true, metadata: {} });
    stripe.books.dispute(charge!.id);
    stripe.books.unsent.length = 0;
    expect(await platform.ledger()).not.toEqual(platform.books());
    const { added, unknown } = await reconcile();
    expect([added[0], unknown]).toEqual([charge!.id, []]);
    await platform.world.service.worker.runOnce();
    expect(await platform.ledger()).toEqual(platform.books());
    expect(await reconcile()).toMatchObject({ added: [], unknown: [] });
  });

  test("a charge that stands here and not at Stripe is told", async () => {
    const { books } = platform.stripe;
    const [id] = [...books.charges.keys()];
    const charge = books.charges.get(id!)!;
    books.charges.delete(id!);
    expect((await reconcile()).unknown).toEqual([id]);
    books.charges.set(id!, charge);
  });

  const post = async (payload: string, signature: string) => {
    const headers = { "content-type": "application/json", "stripe-signature": signature };
    const { status, ...answer } = await fetch(`${platform.world.url}/api/billing/stripe`, {
      method: "POST",
      body: payload,
      headers,
    });
    return { status, ...answer };
  };
  const sign = (payload: string, { secret = "whsec_fake", age = 0 } = {}) =>
    Stripe.webhooks.generateTestHeaderString({
      payload,
      secret,
      timestamp: Math.floor(platform.clock.now().getTime() / 1000) - age,
    });
  const event = (fields: object = {}) =>
    JSON.stringify({
      id: "evt_x",
      object: "event",
      type: "charge.succeeded",
      created: 1_772_366_400,
      livemode: false,
      data: { object: { id: "ch_foreign" } },
      ...fields,
    });

  test.each([
    ["is forged", event(), () => sign(event(), { secret: "whsec_other" })],
    ["is of another body", event(), () => sign(event({ id: "evt_y" }))],
    ["is six minutes old", event(), () => sign(event(), { age: 360 })],
    ["is missing", event(), () => ""],
    ["is hostile", event(), () => "t=1,v1=\"'--,v0=%00"],
  ])("a signature that %s is refused, and nothing is stored", async (_name, payload, signature) => {
    const before = await stored();
    expect((await post(payload, signature())).status).toBe(400);
    expect(await stored()).toBe(before);
  });

  test.each([
    ["an unknown type", { type: "coupon.created" }],
    ["a type of an object's own member", { type: "constructor" }],
    ["live mode", { livemode: true }],
    ["a connected account", { account: "acct_1" }],
    ["no object", { data: {} }],
    ["an object without an id", { data: { object: {} } }],
    ["a list", { data: { object: [] } }],
    ["an id that is no text", { data: { object: { id: 7 } } }],
    ["a time that is none", { created: "yesterday" }],
  ])("an event of %s is answered 200, and not stored", async (_name, fields) => {
    const before = await stored();
    const payload = event(fields);
    expect((await post(payload, sign(payload))).status).toBe(200);
    expect(await stored()).toBe(before);
  });

  test.each(["null", "[]", "7", '"x"', "not JSON"])("a signed body that is %s is never a 5xx", async (payload) => {
    expect((await post(payload, sign(payload))).status).toBeLessThan(500);
  });

  test("events about what is not of this service, or in another currency, are applied without a trace", async () => {
    const { books } = platform.stripe;
    books.charges.set("ch_euro", {
      id: "ch_euro",
      amount: 100,
      amount_refunded: 0,
      created: books.now,
      currency: "eur",
      status: "succeeded",
    });
    const before = await platform.ledger();
    for (const [id, subject] of [
      ["evt_foreign", "ch_foreign"],
      ["evt_euro", "ch_euro"],
    ] as const) {
      const payload = event({ id, data: { object: { id: subject } } });
      expect((await post(payload, sign(payload))).status).toBe(200);
    }
    await platform.world.service.worker.runOnce();
    expect(await platform.ledger()).toEqual(before);
    books.charges.delete("ch_euro");
  });
});
