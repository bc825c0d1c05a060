/** Lost, repeated, reordered and hostile webhooks do not change what the ledger holds after reconciliation. */
import { Stripe } from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forgetEvents } from "../../../src/marketplace/billing/platform/events/apply-events.ts";
import { reconcileBilling } from "../../../src/marketplace/billing/platform/platform.operations.ts";
import { sampleOf } from "../../support/chance.ts";
import { databaseKinds } from "../../support/databases.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PlatformWorld } from "../../support/platform-billing.ts";

describe.each(sampleOf("Platform billing: reconcile", 1, databaseKinds))("on %s", (kind) => {
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

  test("what is in the ledger and not at Stripe is reported as unknown: charges, refunds, disputes, transfers, reversals", async () => {
    const { books } = platform.stripe;
    await platform.install(await platform.givenApp({ trialDays: 0 }));
    const { id } = [...books.charges.values()].at(-1)!;
    books.createRefund(id, 700, { reverses: true, metadata: {} });
    await platform.settle();
    const dispute = books.dispute(id)!;
    await platform.settle();
    books.closeDispute(dispute.id, "won");
    await platform.settle();
    expect(await reconcile()).toMatchObject({ added: [], unknown: [], unrecorded: [] });
    const [transfer, repaid] = [...books.transfers.values()].slice(-2);
    const [reversal] = [...books.reversals.values()].slice(-1);
    const refund = [...books.refunds.values()].at(-1)!;
    const hide = async (of: Map<string, unknown>, hidden: string) => {
      const entries = [...of];
      of.delete(hidden);
      const { unknown } = await reconcile();
      of.clear();
      for (const [key, value] of entries) of.set(key, value);
      return unknown;
    };
    expect(await hide(books.charges, id)).toEqual([id]);
    expect(await hide(books.refunds, refund.id)).toEqual([refund.id]);
    expect(await hide(books.disputes, dispute.id)).toEqual([dispute.id]);
    expect(await hide(books.transfers, repaid!.id)).toEqual([repaid!.id]);
    expect(await hide(books.reversals, reversal!.id)).toEqual([reversal!.id]);
    const charge = books.charges.get(id)!;
    const other = books.createTransfer({ amount: charge.amount, destination: transfer!.destination });
    charge.transfer = other.id;
    expect((await reconcile()).unknown).toEqual([transfer!.id]);
    charge.transfer = transfer!.id;
    books.transfers.delete(other.id);
    books.movements.pop();
    expect(await reconcile()).toMatchObject({ added: [], unknown: [], unrecorded: [] });
  });

  test("a transfer to an owner that the ledger does not account for is reported, with its reversals, and not one to others", async () => {
    const { books } = platform.stripe;
    const { account } = await platform.givenApp();
    const byHand = books.createTransfer({ amount: 500, destination: account });
    const reversal = books.createReversal(byHand.id, 200, {});
    books.createTransfer({ amount: 500, destination: books.createAccount().id });
    expect((await reconcile()).unrecorded).toEqual([byHand.id, reversal.id]);
    books.transfers.delete(byHand.id);
    books.reversals.delete(reversal.id);
    books.movements.splice(-3);
  });

  test("a refund of a charge that is older than the compared ones is recorded", async () => {
    const { books } = platform.stripe;
    await platform.install(await platform.givenApp({ trialDays: 0 }));
    await platform.settle();
    const { id } = [...books.charges.values()].at(-1)!;
    await platform.pass({ days: 125 });
    await platform.settle();
    const refund = books.createRefund(id, 700, { reverses: true, metadata: {} });
    books.unsent.length = 0;
    expect(await reconcile()).toMatchObject({ added: [refund.id], unknown: [], unrecorded: [] });
    expect(await platform.ledger()).toEqual(platform.books());
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
    ["a time beyond all calendars", { created: Number.MAX_SAFE_INTEGER }],
    ["a time before 1970", { created: -1 }],
    ["an id with NUL", { id: "evt_\0" }],
    ["an id that is too long", { id: `evt_${"x".repeat(300)}` }],
    ["an object id with NUL", { data: { object: { id: "ch_\0" } } }],
    ["an object id that is a path", { data: { object: { id: "../accounts" } } }],
  ])("an event of %s is answered 200, and not stored", async (_name, fields) => {
    const before = await stored();
    const payload = event(fields);
    expect((await post(payload, sign(payload))).status).toBe(200);
    expect(await stored()).toBe(before);
  });

  test.each(["null", "[]", "7", '"x"', "not JSON"])("a signed body that is %s is never a 5xx", async (payload) => {
    expect((await post(payload, sign(payload))).status).toBeLessThan(500);
  });

  test.each([
    ["negative", { amount: -2900 }],
    ["zero", { amount: 0 }],
    ["a fraction", { amount: 29.5 }],
    ["beyond safe integers", { amount: 2 ** 53 }],
    ["a text", { amount: "2900" }],
    ["another currency", { currency: "eur" }],
    ["another amount than its transfer", { amount: 2901 }],
    ["refunded by a fraction", { amount_refunded: 0.5 }],
  ])("a charge whose amount is %s is ignored, and its event is not retried", async (_name, fields) => {
    const { books } = platform.stripe;
    await platform.install(await platform.givenApp({ trialDays: 0 }));
    const charge = [...books.charges.values()].at(-1)!;
    const stored = { ...charge };
    const before = await platform.ledger();
    Object.assign(charge, fields);
    await platform.settle();
    const { database } = platform.world.service;
    expect(await database.rows("select type from stripe_events where applied_at is null")).toEqual([]);
    expect(await platform.ledger()).toEqual(before);
    Object.assign(charge, stored);
    await reconcile();
    expect(await platform.ledger()).toEqual(platform.books());
  });

  test.each([
    ["a refund", "refunds", "refund.created", { amount: -100 }],
    ["a refund", "refunds", "refund.created", { amount: 0.5 }],
    ["a dispute", "disputes", "charge.dispute.created", { amount: 2 ** 53 }],
    ["a dispute", "disputes", "charge.dispute.created", { amount: -1 }],
  ] as const)("%s with an amount out of bounds is ignored (%s %s %j)", async (_name, kindOf, type, fields) => {
    const { books } = platform.stripe;
    await platform.install(await platform.givenApp({ trialDays: 0 }));
    await platform.settle();
    const { id } = [...books.charges.values()].at(-1)!;
    const made =
      kindOf === "refunds" ? books.createRefund(id, 500, { reverses: false, metadata: {} }) : books.dispute(id)!;
    const { amount } = made;
    const before = await platform.ledger();
    Object.assign(made, fields);
    await platform.settle();
    const { database } = platform.world.service;
    const waiting = "select type from stripe_events where applied_at is null and type = ?";
    expect([await database.rows(waiting, [type]), await platform.ledger()]).toEqual([[], before]);
    Object.assign(made, { amount });
    books.emit(type, made);
    await platform.settle();
    expect(await platform.ledger()).toEqual(platform.books());
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
