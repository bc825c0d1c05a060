/** Platform billing from Allow to the first payout: checkout, return, charge, ledger; and an app that is sold keeps it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { updateApp } from "../../../src/marketplace/billing/app-change.operations.ts";
import { voidIfUninstalled } from "../../../src/marketplace/billing/platform/void.service.ts";
import { lockPlatformSubscription, lockSubscriptions } from "../../../src/marketplace/billing/subscription.service.ts";
import { findInstallsIn } from "../../../src/marketplace/installs/install.queries.ts";
import { uninstallApp } from "../../../src/marketplace/installs/install.service.ts";
import type { Writer } from "../../../src/storage/rows.ts";
import type { Refusal } from "../../../src/vocabulary/errors.ts";
import { sampleOf } from "../../support/chance.ts";
import { databaseKinds } from "../../support/databases.ts";
import { askToken, callback, redeeming } from "../../support/marketplace.ts";
import { meet } from "../../support/meet.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PlatformWorld } from "../../support/platform-billing.ts";

const external = { payment_page_url: "https://app.example.com/pay" };

describe.each(sampleOf("Platform billing: install", 1, databaseKinds))("on %s", (kind) => {
  let platform: PlatformWorld;
  beforeAll(async () => {
    platform = await createPlatformWorld(kind);
  });
  afterAll(() => platform?.close());

  test("allow, pay, come back, be charged: an active install, one charge in the ledger, a payout", async () => {
    const { world, olga, stripe } = platform;
    const app = await platform.givenApp({ trialDays: 0 });
    const sent = await platform.allow(app);
    const session = platform.sessionOf(sent);
    expect([sent.status, await platform.statuses(app)]).toEqual([303, ["incomplete"]]);
    const asked = stripe.books.session(session);
    const install = asked.client_reference_id!;
    expect(asked).toMatchObject({ mode: "subscription", payment_method_collection: "always" });
    expect(asked.terms).toEqual({
      price: 2900,
      trialDays: 0,
      destination: app.account,
      productName: "Ledgerline",
      metadata: {
        install,
        app: app.client_id,
        location: String(world.north),
        checkout: expect.stringMatching(/^checkout-/),
      },
    });
    stripe.books.complete(session);

    const back = await olga.get(platform.returnPathOf(session));
    const address = new URL(back.location);
    expect([back.status, address.origin + address.pathname, address.searchParams.get("state")]).toEqual([
      303,
      callback,
      "s",
    ]);
    const tokens = await askToken(world.url, redeeming(app, address.searchParams.get("code")!));
    expect(tokens.status).toBe(200);
    expect(await platform.statuses(app)).toEqual(["active"]);

    await platform.settle();
    expect(await platform.ledger()).toEqual(platform.books());
    expect(await platform.payouts()).toEqual([
      {
        app: { name: "Ledgerline", client_id: app.client_id },
        period: "2026-03",
        currency: "usd",
        gross_cents: 2900,
        refunds_cents: 0,
        disputes_cents: 0,
        net_cents: 2900,
        transferred_cents: 2900,
      },
    ]);
  });

  test("an install that waits for the voiding of its subscription does not resume it", async () => {
    const { world, stripe, clock } = platform;
    const app = await platform.givenApp({ trialDays: 0 });
    const { id: subscription } = stripe.books.complete(platform.sessionOf(await platform.allow(app)));
    await platform.settle();
    expect(await platform.statuses(app)).toEqual(["active"]);
    const { database } = world.service;
    const payer = { workspaceId: world.acme, locationId: world.north };
    const waited = await meet(
      database,
      { change: <Result>(work: (change: Writer) => Promise<Result>) => database.transaction(work) },
      {
        first: (change: Writer) => lockSubscriptions(change, { appId: app.id, ...payer }),
        second: (change: Writer) => lockPlatformSubscription(change, app.id, payer, clock.now()),
        last: (change: Writer) => voidIfUninstalled(change, subscription, clock.now()),
      },
    );
    expect(waited).toMatchObject({ status: "fulfilled", value: { isLiving: false } });
  });

  test("a draft keeps platform billing while a customer pays for it, or is about to", async () => {
    const { world, stripe, olga } = platform;
    const { service, acme, north } = world;
    const owner = service.inWorkspace(acme);
    const app = await platform.givenApp({ trialDays: 0, isPublished: false });
    const change = (input: object, changed = app) =>
      service.carryOut(updateApp, owner, { app: changed.id, input }).then(
        () => "done",
        ({ code }: Refusal) => code,
      );
    const leave = () =>
      Promise.all([
        change({ billing: "none" }),
        change({ billing: "external", ...external }),
        // Paid by others, beside those who pay.
        change({ install_type: "company" }),
      ]);
    const locked = ["billing_locked", "billing_locked", "billing_locked"];

    const session = platform.sessionOf(await platform.allow(app));
    expect([await leave(), await change({ price_cents: 3900, install_type: "location" })]).toEqual([locked, "done"]);
    stripe.books.complete(session);
    await olga.get(platform.returnPathOf(session));
    await platform.settle();
    await platform.pass({ days: 2 });
    expect([await platform.statuses(app), await leave()]).toEqual([["active"], locked]);

    const install = (await findInstallsIn(service.database, [north])).find((one) => one.app.id === app.id);
    await owner.change((uninstalling) => uninstallApp(uninstalling, install!.id));
    expect(await change({ billing: "none" })).toBe("done");

    const left = await platform.givenApp({ trialDays: 0, isPublished: false });
    platform.sessionOf(await platform.allow(left));
    await platform.pass({ days: 1, minutes: 1 });
    expect(await change({ billing: "external", ...external }, left)).toBe("done");
  });
});
