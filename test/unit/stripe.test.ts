/** What a call to Stripe ends with: a transient error is refused as `processor_unavailable`, a permanent one is a StripeRefusal. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import { callStripe, openStripe, StripeRefusal } from "../../src/outbound/stripe.ts";
import { Refusal } from "../../src/vocabulary/errors.ts";
import { startNode } from "../support/node-process.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";
import type { FakeStripe } from "../support/stripe/fake-stripe.ts";
import type { Fault } from "../support/stripe/faults.ts";

let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await startFakeStripe(systemClock);
});
afterAll(() => stripe?.close());

const forever = new Promise<Fault>(() => {});

test.each<[name: string, fault: Fault | Promise<Fault>, path: string, key: string, end: string]>([
  ["answers", "ok", "acct", "sk_test_fake", "done"],
  ["is down", "before", "acct", "sk_test_fake", "processor_unavailable"],
  ["is slower than the timeout", forever, "acct", "sk_test_fake", "processor_unavailable"],
  ["limits the rate", "final 429", "acct", "sk_test_fake", "processor_unavailable"],
  ["fails", "final 500", "acct", "sk_test_fake", "processor_unavailable"],
  ["rejects the key", "ok", "acct", "sk_test_other", "processor_unavailable"],
  ["does not know the object", "ok", "acct_foreign", "sk_test_fake", "resource_missing"],
])("where Stripe %s, a call ends with %5$s", async (_name, fault, path, stripeSecretKey, end) => {
  const { id } = stripe.books.createAccount();
  stripe.fault = () => fault;
  const settings = { stripeSecretKey, stripeWebhookSecret: null, stripeApiUrl: stripe.url };
  const connection = openStripe(settings, { timeout: 50 })!;
  const result = callStripe(connection, (client) => client.accounts.retrieve(path === "acct" ? id : path)).then(
    () => "done",
    (error: unknown) => {
      if (error instanceof Refusal || error instanceof StripeRefusal) return error.code;
      throw error;
    },
  );
  expect(await result).toBe(end);
});

test("npm run test:stripe ends with 2 without a test key", async () => {
  for (const key of ["", "sk_live_fake"]) {
    const environment = { CRM_STRIPE_SECRET_KEY: key };
    const { code, stderr } = await startNode(["scripts/test-stripe.ts"], { environment }).finished;
    expect([code, stderr]).toEqual([2, expect.stringContaining("There is no test key")]);
  }
});
