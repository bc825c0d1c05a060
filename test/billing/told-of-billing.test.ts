/** The own webhook of an app hears of each status of a subscription that Stripe bills, once, though Stripe repeats and reorders its events. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { updateApp } from "../../src/marketplace/billing/app-change.operations.ts";
import { findInstallsIn } from "../../src/marketplace/installs/install.queries.ts";
import { uninstallApp } from "../../src/marketplace/installs/install.service.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { databaseKinds } from "../support/databases.ts";
import { createPlatformWorld } from "../support/platform-billing.ts";
import type { PaidApp, PlatformWorld } from "../support/platform-billing.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import type { TestReceiver } from "../support/receiver.ts";

describe.each([...databaseKinds])("on %s", (kind) => {
  let platform: PlatformWorld;
  let receiver: TestReceiver;
  beforeAll(async () => {
    platform = await createPlatformWorld(kind, toLoopback);
    // Each event arrives twice, and out of order.
    platform.stripe.delivery = (events) => ({ now: [...events.toReversed(), ...events], later: [] });
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver?.[Symbol.asyncDispose]();
    await platform?.close();
  });

  const acme = () => platform.world.service.inWorkspace(platform.world.acme);

  /** An app that is told, by its own webhook. */
  async function givenToldApp(offer: Parameters<PlatformWorld["givenApp"]>[0]): Promise<PaidApp> {
    const app = await platform.givenApp(offer);
    const input = { webhook_url: receiver.url };
    await platform.world.service.carryOut(updateApp, acme(), { app: app.id, input });
    return app;
  }

  /** What `app` was told since: the event, where, and how the status changed. */
  async function told({ client_id }: PaidApp) {
    for (let round = 0; round < 3; round += 1) await platform.settle();
    return receiver.arrivals
      .splice(0)
      .filter(({ data }) => data.app.client_id === client_id)
      .map(({ event, data: { location_id, changes } }) =>
        changes === undefined ? [event, location_id] : [event, location_id, changes[0].old, changes[0].new],
      )
      .toSorted(([one], [other]) => String(one).localeCompare(String(other)));
  }

  async function takeOut(app: PaidApp, locationId: number): Promise<void> {
    const installs = await findInstallsIn(platform.world.service.database, [locationId]);
    const { id } = installs.find((one) => one.app.id === app.id)!;
    await acme().change((change) => uninstallApp(change, id));
  }

  test("from the trial over a failed payment to the end, and again", async () => {
    const { world, stripe } = platform;
    const app = await givenToldApp({ trialDays: 1 });
    const moved = (old: string, status: string) => ["app.subscription_changed", world.north, old, status];
    const { subscription } = await platform.install(app, world.north, { pays: false });
    expect(await told(app)).toEqual([["app.installed", world.north], moved("incomplete", "trialing")]);
    await platform.pass({ days: 1 });
    expect(await told(app)).toEqual([moved("trialing", "past_due")]);
    const { customer, latest_invoice } = stripe.books.subscriptions.get(subscription)!;
    stripe.books.cards.set(customer as string, true);
    stripe.books.payInvoice(latest_invoice as string);
    expect(await told(app)).toEqual([moved("past_due", "active")]);
    await platform.pass({ days: 40 });
    expect(await told(app)).toEqual([]);
    await takeOut(app, world.north);
    expect(await told(app)).toEqual([["app.uninstalled", world.north], moved("active", "canceled")].toReversed());
    await platform.allow(app, world.north);
    expect(await told(app)).toEqual([["app.installed", world.north], moved("canceled", "active")]);
  });

  test("where the company pays, it is told of no location, and the data has the price and Stripe's subscription", async () => {
    const app = await givenToldApp({ trialDays: 0, installType: "company", priceCents: 4900 });
    const { subscription } = await platform.install(app);
    for (let round = 0; round < 3; round += 1) await platform.settle();
    const changed = receiver.arrivals.splice(0).filter(({ event }) => event === "app.subscription_changed");
    expect(changed.map(({ data }) => data)).toEqual([
      {
        app: { name: "Ledgerline", client_id: app.client_id },
        workspace_id: platform.world.acme,
        location_id: null,
        status: "active",
        amount_cents: 4900,
        subscription_id: subscription,
        changes: [{ field: "status", old: "incomplete", new: "active" }],
      },
    ]);
  });

  test("a payment whose install was never finished is told as canceled once it is voided", async () => {
    const app = await givenToldApp({ trialDays: 0 });
    const session = platform.sessionOf(await platform.allow(app, platform.world.south));
    platform.stripe.books.complete(session, { pays: true });
    expect((await told(app)).map(([event, , old, status]) => [event, old, status])).toEqual([
      ["app.subscription_changed", "incomplete", "active"],
    ]);
    await platform.pass({ seconds: limits.billing.pendingInstallSeconds + 1 });
    expect((await told(app)).map(([event, , old, status]) => [event, old, status])).toEqual([
      ["app.subscription_changed", "active", "canceled"],
    ]);
  });
});
