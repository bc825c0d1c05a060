/** Stripe's webhooks: what is verified, what is stored once, and what is answered 200 and ignored. */
import { Stripe } from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../../support/chance.ts";
import { databaseKinds } from "../../support/databases.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PlatformWorld } from "../../support/platform-billing.ts";

const object = { id: "sub_1" };
const event = { id: "evt_1", type: "customer.subscription.updated", created: 1, livemode: false, data: { object } };

describe.each(sampleOf("Platform billing: webhook", 1, databaseKinds))("on %s", (kind) => {
  let platform: PlatformWorld;
  beforeAll(async () => {
    platform = await createPlatformWorld(kind);
  });
  afterAll(() => platform?.close());

  const stored = async () =>
    (await platform.world.service.database.rows<{ stripe_id: string }>("select stripe_id from stripe_events")).length;
  interface Signing {
    readonly secret?: string;
    /** In seconds. */
    readonly age?: number;
    readonly sent?: string;
    readonly signature?: string;
  }
  const post = async (body: unknown, { secret = "whsec_fake", age = 0, sent, signature }: Signing = {}) => {
    const payload = typeof body === "string" ? body : JSON.stringify(body);
    const timestamp = Math.floor(platform.clock.now().getTime() / 1000) - age;
    const header = signature ?? Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
    const response = await fetch(`${platform.world.url}/api/billing/stripe`, {
      method: "POST",
      body: sent ?? payload,
      headers: { "content-type": "application/json", ...(header === "" ? {} : { "stripe-signature": header }) },
    });
    const { error = "" } = (await response.json()) as { error?: string };
    return `${response.status} ${error}`.trim();
  };

  test.each<[name: string, given: Signing, told: string]>([
    ["no signature", { signature: "" }, "400 invalid_signature"],
    ["a signature that is none", { signature: "t=1,v1=00" }, "400 invalid_signature"],
    ["the signature of another secret", { secret: "whsec_other" }, "400 invalid_signature"],
    ["the signature of another body", { sent: JSON.stringify({ ...event, id: "evt_2" }) }, "400 invalid_signature"],
    ["the same JSON in other bytes", { sent: JSON.stringify(event, null, 1) }, "400 invalid_signature"],
    ["a signature of 301 seconds ago", { age: 301 }, "400 invalid_signature"],
    ["a signature of 300 seconds ago", { age: 300 }, "200"],
  ])("%s: %o is answered %s", async (_name, given, told) => {
    const before = await stored();
    expect(await post({ ...event, id: `evt_${told.length}` }, given)).toBe(told);
    expect((await stored()) - before).toBe(told === "200" ? 1 : 0);
  });

  test("an event is stored once, however often and however parallel it comes", async () => {
    const before = await stored();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post({ ...event, id: "evt_once" })));
    expect([new Set(answers), (await stored()) - before]).toEqual([new Set(["200"]), 1]);
  });

  test.each([
    ["a type that is not handled", { ...event, type: "customer.created" }],
    ["a type that every object has", { ...event, type: "constructor" }],
    ["the other mode", { ...event, livemode: true }],
    ["a subscription of a connected account", { ...event, account: "acct_1" }],
    ["an object without an id", { ...event, data: { object: {} } }],
    ["no event", { hello: "world" }],
    ["null", null],
    ["a list", []],
  ])("%s is answered 200 and ignored", async (_name, body) => {
    const before = await stored();
    expect([await post(body), (await stored()) - before]).toEqual(["200", 0]);
  });

  test("an object that Stripe does not know, or that is of another service, changes nothing", async () => {
    expect(await post({ ...event, id: "evt_foreign", data: { object: { id: "sub_foreign" } } })).toBe("200");
    await platform.world.service.worker.runOnce();
    const text = "select error from stripe_events where stripe_id = 'evt_foreign' and applied_at is not null";
    expect(await platform.world.service.database.rows(text)).toEqual([{ error: null }]);
  });
});
