/** The steps of a history of platform billing: what customers, owners, banks and time do. */
import { updateApp } from "../../../src/marketplace/apps/app.service.ts";
import { changeExistingPrices } from "../../../src/marketplace/billing/platform/price/price.service.ts";
import { listCharges, refundCharge } from "../../../src/marketplace/billing/platform/platform.operations.ts";
import { findInstallsIn } from "../../../src/marketplace/installs/install.queries.ts";
import { uninstallApp } from "../../../src/marketplace/installs/install.service.ts";
import { Refusal } from "../../../src/vocabulary/errors.ts";
import type { PaidApp, PlatformWorld } from "../../support/platform-billing.ts";
import { isLiving, Refused } from "../../support/stripe/books.ts";

export const steps = [
  "install",
  "pay",
  "leave",
  "uninstall",
  "pass",
  "break card",
  "mend card",
  "price",
  "refund",
  "dashboard refund",
  "fail refund",
  "dispute",
  "close",
] as const;

export interface Step {
  readonly step: (typeof steps)[number];
  /** Chooses the app, the location, the charge and the amount. */
  readonly number: number;
}

/** Performs a step. Its requests may fail, as the pages of a service that is killed do. */
export async function act(platform: PlatformWorld, apps: readonly PaidApp[], { step, number }: Step): Promise<void> {
  const { world, stripe, olga } = platform;
  const { books } = stripe;
  const owner = world.service.inWorkspace(world.acme);
  const app = apps[number % apps.length]!;
  const location = [world.north, world.south][number % 2]!;
  const accounts = new Set(apps.map(({ account }) => account));
  const own = <Item>(items: Iterable<Item>, accountOf: (item: Item) => unknown) =>
    [...items].filter((item) => accounts.has(accountOf(item) as string));
  const pick = <Item>(items: readonly Item[]) => items.at(number % Math.max(items.length, 1));
  const charges = () => own(books.charges.values(), ({ transfer_data }) => transfer_data?.destination);
  const subscriptions = () => own(books.subscriptions.values(), ({ terms }) => terms.destination).filter(isLiving);
  switch (step) {
    case "install":
    case "pay":
    case "leave": {
      const page = await platform.allow(app, location);
      const session = /\/pay\/(\w+)$/.exec(page.location)?.[1];
      if (session === undefined || step === "leave") return;
      books.complete(session);
      // Who pays and closes the tab does not come back.
      if (step === "install") await olga.get(platform.returnPathOf(session));
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
      const subscription = pick(subscriptions());
      if (subscription === undefined) return;
      books.cards.set(subscription.customer as string, step === "mend card");
      for (const { latest_invoice: invoice } of subscriptions()) if (invoice) books.payInvoice(invoice as string);
      return;
    }
    case "price": {
      const price_cents = 1000 + (number % 4) * 900;
      await owner.change(async (change) => {
        await updateApp(change, app.id, { price_cents });
        await changeExistingPrices(change, app.id);
      });
      return;
    }
    case "refund": {
      const { data } = await world.service.carryOut(listCharges, owner, {});
      const charge = pick(data.filter(({ app: { client_id } }) => apps.some((one) => one.client_id === client_id)));
      if (charge === undefined) return;
      const input = { amount_cents: 1 + (number % 3000) };
      await world.service.carryOut(refundCharge, owner, { charge: charge.id, input }).catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.code !== "refund_too_large") throw error;
      });
      return;
    }
    case "dashboard refund": {
      const charge = pick(charges());
      const reverses = number % 3 === 0;
      try {
        if (charge !== undefined) books.createRefund(charge.id, 1 + (number % 3000), { reverses, metadata: {} });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
      }
      return;
    }
    case "fail refund": {
      const ids = new Set(charges().map(({ id }) => id));
      const refund = pick([...books.refunds.values()].filter(({ charge }) => ids.has(charge)));
      if (refund !== undefined) books.failRefund(refund.id);
      return;
    }
    case "dispute": {
      const charge = pick(charges());
      if (charge !== undefined) books.dispute(charge.id);
      return;
    }
    case "close": {
      const ids = new Set(charges().map(({ id }) => id));
      const dispute = pick([...books.disputes.values()].filter(({ charge }) => ids.has(charge)));
      if (dispute !== undefined) books.closeDispute(dispute.id, number % 2 === 0 ? "won" : "lost");
    }
  }
}
