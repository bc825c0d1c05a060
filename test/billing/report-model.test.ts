/** Property test: for any sequence of reports and payers, ledger and subscriptions equal those of a plain list. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ledgerOf, report, subscriptionsOf } from "../support/billing.ts";
import { runsOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenApp } from "../support/marketplace.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

interface Sent {
  readonly payer: "north" | "south" | "acme";
  readonly amount: number;
  readonly status: "COMPLETED" | "FAILED";
  readonly paymentType: "one_time" | "recurring";
  readonly paymentId: string | undefined;
  readonly subscriptionId: string | undefined;
}

const sent: fc.Arbitrary<Sent> = fc.record({
  payer: fc.constantFrom("north", "north", "south", "acme"),
  amount: fc.constantFrom(0, 0.3, 29, 1.005),
  status: fc.constantFrom("COMPLETED", "FAILED"),
  paymentType: fc.constantFrom("one_time", "recurring"),
  paymentId: fc.constantFrom("a", "a", "b", undefined),
  subscriptionId: fc.constantFrom("s", "t", undefined),
});

const dated = {
  amount: fc.constantFrom(0, 29, 30),
  status: fc.constantFrom("COMPLETED", "FAILED"),
  paymentId: fc.constantFrom("a", "b", undefined),
};

/** The model, a plain list: a refused report leaves nothing, and a repetition of its payer's latest report is a duplicate. */
class Model {
  readonly ledger: Sent[] = [];

  latestOf(payer: Sent["payer"]): Sent | undefined {
    return this.ledger.findLast((one) => one.payer === payer);
  }

  take(next: Sent): number {
    if (next.amount === 1.005) return 422;
    if (next.paymentType === "one_time" && next.paymentId === undefined) return 422;
    const latest = this.latestOf(next.payer);
    const repeats =
      next.paymentId !== undefined &&
      latest?.paymentId === next.paymentId &&
      latest.amount === next.amount &&
      latest.status === next.status;
    if (!repeats) this.ledger.push(next);
    return 200;
  }
}

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test("random reports leave what the model says", async () => {
    const runs = runsOf(`reports on ${kind}`, 15, 40);
    const { north, south, acme } = world;
    const ids = { north, south, acme };
    const property = fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 12 }), async (all) => {
      const app = await givenApp(world);
      const model = new Model();
      for (const { payer, ...fields } of all) {
        const isCompany = payer === "acme";
        const target = isCompany ? { authType: "company", companyId: acme } : { locationId: String(ids[payer]) };
        const { status } = await report(world.url, app, { ...fields, ...target });
        expect(status).toBe(model.take({ payer, ...fields }));
      }
      const ledger = await ledgerOf(world.service, app);
      expect(ledger.map((row) => [row.location_id ?? "acme", row.amount_cents, row.status, row.payment_id])).toEqual(
        model.ledger.map(({ payer, amount, status, paymentId }) => [
          payer === "acme" ? payer : ids[payer],
          Math.round(amount * 100),
          status,
          paymentId ?? null,
        ]),
      );
      const payers = [...new Set(model.ledger.map(({ payer }) => payer))];
      expect(await subscriptionsOf(world.service, acme, app)).toMatchObject(
        payers.map((payer) => ({
          location_id: payer === "acme" ? null : ids[payer],
          company_id: payer === "acme" ? acme : null,
          status: model.latestOf(payer)!.status === "COMPLETED" ? "active" : "past_due",
          amount_cents: Math.round(model.latestOf(payer)!.amount * 100),
          subscription_id:
            model.ledger.findLast((one) => one.payer === payer && one.subscriptionId !== undefined)?.subscriptionId ??
            null,
        })),
      );
    });
    await fc.assert(property, runs);
  }, 120_000);

  test("reports with times lead to the same state, in any order of arrival", async () => {
    const runs = runsOf(`orders of reports on ${kind}`, 15, 40);
    const now = world.clock.now().getTime();
    const orders = fc
      .uniqueArray(fc.record({ ...dated, minutesAgo: fc.integer({ min: -4, max: 100 }) }), {
        minLength: 2,
        maxLength: 6,
        selector: ({ minutesAgo }) => minutesAgo,
      })
      .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));
    const property = fc.asyncProperty(orders, async (all) => {
      const app = await givenApp(world);
      for (const { minutesAgo, ...fields } of all) {
        const occurredAt = new Date(now - minutesAgo * 60_000).toISOString();
        const answer = await report(world.url, app, { ...fields, occurredAt, locationId: world.north });
        expect(answer.status).toBe(200);
      }
      const newest = all.toSorted((one, other) => one.minutesAgo - other.minutesAgo)[0]!;
      expect(await ledgerOf(world.service, app)).toHaveLength(all.length);
      expect(await subscriptionsOf(world.service, world.acme, app)).toMatchObject([
        { status: newest.status === "COMPLETED" ? "active" : "past_due", amount_cents: newest.amount * 100 },
      ]);
    });
    await fc.assert(property, runs);
  }, 120_000);

  test("reports with and without times lead to the state that plain code says, in their order of arrival", async () => {
    const runs = runsOf(`mixed reports on ${kind}`, 15, 40);
    const now = world.clock.now().getTime();
    const mixed = fc.record({
      ...dated,
      // Few times, so that some are equal; null: a report without one.
      minutesAgo: fc.constantFrom(-4, 0, 1, 5, null),
    });
    const property = fc.asyncProperty(fc.array(mixed, { minLength: 2, maxLength: 10 }), async (all) => {
      const app = await givenApp(world);
      const kept: (typeof all)[number][] = [];
      let decides: (typeof all)[number] | undefined;
      const timeOf = ({ minutesAgo }: (typeof all)[number]) => minutesAgo ?? 0;
      for (const one of all) {
        const { minutesAgo, ...fields } = one;
        const occurredAt = minutesAgo === null ? undefined : new Date(now - minutesAgo * 60_000).toISOString();
        const answer = await report(world.url, app, { ...fields, occurredAt, locationId: world.north });
        expect(answer.status).toBe(200);
        const last = kept.at(-1);
        if (one.paymentId !== undefined && last !== undefined && JSON.stringify(last) === JSON.stringify(one)) continue;
        kept.push(one);
        if (minutesAgo === null || decides === undefined || minutesAgo <= timeOf(decides)) decides = one;
      }
      expect(await ledgerOf(world.service, app)).toHaveLength(kept.length);
      expect(await subscriptionsOf(world.service, world.acme, app)).toMatchObject([
        {
          status: decides!.status === "COMPLETED" ? "active" : "past_due",
          amount_cents: decides!.amount * 100,
        },
      ]);
    });
    await fc.assert(property, runs);
  }, 120_000);
});
