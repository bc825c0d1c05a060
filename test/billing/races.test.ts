/** Fifty concurrent reports to two processes on one database: one order, one state, and a report that is sent fifty times counts once. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ledgerOf, report, subscriptionsOf } from "../support/billing.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenApp } from "../support/marketplace.ts";
import { startTwoServices } from "../support/two-services.ts";
import type { TwoServices } from "../support/two-services.ts";

const rounds = 8;
const atOnce = 50;

describe.each([...databaseKinds])("on %s", (kind) => {
  let two: TwoServices;
  let acme: number;
  beforeAll(async () => {
    two = await startTwoServices(kind);
    const [location] = await two.service.database.rows<{ workspace_id: number }>(
      "select workspace_id from locations where id = ?",
      [two.location],
    );
    acme = location!.workspace_id;
  });
  afterAll(() => two?.close());

  /** Sends fifty concurrent reports for a new app, alternating between the processes; resolves to the ledger and the subscription. */
  async function raced(fields: (n: number) => Record<string, unknown>) {
    const app = await givenApp({ service: two.service, acme });
    const answers = await Promise.all(
      Array.from({ length: atOnce }, (_, n) =>
        report(two.urls[n % 2]!, app, { locationId: two.location, ...fields(n) }),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 {"ok":true}']));
    const subscriptions = await subscriptionsOf(two.service, acme, app);
    expect(subscriptions).toHaveLength(1);
    return { ledger: await ledgerOf(two.service, app), subscription: subscriptions[0]! };
  }

  test("each is there once, and the last of the ledger is what the subscription says", async () => {
    for (let round = 0; round < rounds; round++) {
      const { ledger, subscription } = await raced((n) => ({
        paymentId: `pay-${n}`,
        subscriptionId: `sub-${n}`,
        amount: n,
        status: n % 3 === 0 ? "FAILED" : "COMPLETED",
      }));
      expect(ledger.map(({ payment_id }) => payment_id).toSorted()).toEqual(
        Array.from({ length: atOnce }, (_, n) => `pay-${n}`).toSorted(),
      );
      const last = ledger.at(-1)!;
      expect(subscription, `round ${round}`).toMatchObject({
        status: last.status === "FAILED" ? "past_due" : "active",
        amount_cents: last.amount_cents,
        subscription_id: last.subscription_id,
      });
    }
  }, 120_000);

  test("the same report is one, however often it is sent at once", async () => {
    for (let round = 0; round < rounds; round++) {
      const { ledger } = await raced(() => ({ paymentId: "pay", paymentType: "one_time" }));
      expect(ledger, `round ${round}`).toHaveLength(1);
    }
  }, 120_000);

  test("two that alternate never stand in the ledger twice in a row", async () => {
    const { ledger } = await raced((n) => ({ paymentId: "pay", amount: n % 2 }));
    const repeated = ledger.filter(({ amount_cents }, place) => amount_cents === ledger[place - 1]?.amount_cents);
    expect(repeated).toEqual([]);
  }, 60_000);
});
