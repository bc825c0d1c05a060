/**
 * Property test: random histories of installs, trials, renewals, failed payments, refunds, disputes and uninstalls, with lost, repeated and reordered
 * webhooks and calls that fail before or after they take effect. In the end the ledger equals Stripe's books, and no customer has paid twice.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listCharges, refundCharge } from "../../../src/marketplace/billing/platform/platform.operations.ts";
import { findInstallsIn } from "../../../src/marketplace/installs/install.queries.ts";
import { uninstallApp } from "../../../src/marketplace/installs/install.service.ts";
import { Refusal } from "../../../src/vocabulary/errors.ts";
import { runsOf } from "../../support/chance.ts";
import { databaseKinds } from "../../support/databases.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PaidApp, PlatformWorld } from "../../support/platform-billing.ts";
import { isLiving } from "../../support/stripe/books.ts";

const steps = [
  "install",
  "leave",
  "uninstall",
  "pass",
  "break card",
  "mend card",
  "refund",
  "dispute",
  "close",
] as const;
const webhooks = ["sent", "lost", "twice", "reversed", "late"] as const;
const faults = ["ok", "ok", "ok", "ok", "ok", "ok", "ok", "ok", "before", "after"] as const;

const history = fc.array(
  fc.record({
    step: fc.constantFrom(...steps),
    webhook: fc.constantFrom(...webhooks),
    fault: fc.constantFrom(...faults),
    number: fc.nat(1_000_000),
  }),
  { minLength: 5, maxLength: 20 },
);
type HistoryStep = typeof history extends fc.Arbitrary<(infer One)[]> ? One : never;

/** Performs one step. */
async function act(platform: PlatformWorld, apps: readonly PaidApp[], { step, number }: HistoryStep): Promise<void> {
  const { world, stripe, olga } = platform;
  const { books } = stripe;
  const owner = world.service.inWorkspace(world.acme);
  const app = apps[number % apps.length]!;
  const location = [world.north, world.south][number % 2]!;
  const pick = <Item>(items: Iterable<Item>) => [...items].at(number % Math.max([...items].length, 1));
  switch (step) {
    case "install":
    case "leave": {
      const page = await platform.allow(app, location);
      const session = /\/pay\/(\w+)$/.exec(page.location)?.[1];
      if (session === undefined || step === "leave") return;
      books.complete(session);
      await olga.get(platform.returnPathOf(session));
      return;
    }
    case "uninstall": {
      const install = (await findInstallsIn(world.service.database, [location])).find((one) => one.app.id === app.id);
      if (install !== undefined) await owner.change((change) => uninstallApp(change, install.id));
      return;
    }
    case "pass":
      return platform.pass({ days: number % 40 });
    case "break card":
    case "mend card": {
      const customer = pick(books.cards.keys());
      if (customer !== undefined) books.cards.set(customer, step === "mend card");
      for (const { id } of books.invoices.values()) books.payInvoice(id);
      return;
    }
    case "refund": {
      const { data } = await world.service.carryOut(listCharges, owner, {});
      const charge = pick(data);
      if (charge === undefined) return;
      const input = { amount_cents: 1 + (number % 3000) };
      await world.service.carryOut(refundCharge, owner, { charge: charge.id, input }).catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.code !== "refund_too_large") throw error;
      });
      return;
    }
    case "dispute": {
      const charge = pick(books.charges.values());
      // Stripe refuses a refund that is in flight when the dispute is opened.
      if (charge !== undefined) books.dispute(charge.id);
      return;
    }
    case "close": {
      const dispute = pick(books.disputes.values());
      if (dispute !== undefined) books.closeDispute(dispute.id, number % 2 === 0 ? "won" : "lost");
    }
  }
}

/** Delivers the pending events with the given fault of the network. */
async function tell({ stripe, world }: PlatformWorld, webhook: HistoryStep["webhook"]): Promise<void> {
  if (webhook === "late") return;
  const events = stripe.books.unsent.splice(0);
  if (webhook === "lost") return;
  await stripe.deliver(world.url, webhook === "reversed" ? events.toReversed() : events);
  if (webhook === "twice") await stripe.deliver(world.url, events);
}

describe.each([...databaseKinds])("on %s", (kind) => {
  test("whatever happens, the ledger is Stripe's books in the end", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (events) => {
        const platform = await createPlatformWorld(kind);
        const { stripe } = platform;
        try {
          const apps = [
            await platform.givenApp({ trialDays: 0 }),
            await platform.givenApp({ trialDays: 3, installType: "company" }),
          ];
          for (const event of events) {
            let left = 3;
            // The package makes three attempts: the fault must affect all of them to be visible.
            stripe.fault = ({ method }) =>
              method === "POST" && event.fault !== "ok" && left-- > 0 ? event.fault : "ok";
            await act(platform, apps, event);
            stripe.fault = () => "ok";
            await tell(platform, event.webhook);
            await platform.world.service.worker.runOnce();
            for (const { net_cents, transferred_cents } of await platform.payouts())
              expect(transferred_cents).toBe(net_cents);
          }
          await platform.pass({ days: 2 });
          await platform.settle();
          expect(await platform.ledger()).toEqual(platform.books());
          // At most one subscription per customer and app is living.
          const living = [...stripe.books.subscriptions.values()].filter(isLiving);
          const payers = living.map(({ metadata }) =>
            JSON.stringify([metadata!["app"], metadata!["location"], metadata!["company"]]),
          );
          expect(new Set(payers).size).toBe(payers.length);
        } finally {
          await platform.close();
        }
      }),
      { ...runsOf(`platform billing on ${kind}`, 10, 100), endOnFailure: true },
    );
  }, 1_200_000);
});
