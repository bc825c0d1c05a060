/** Platform billing from Allow to the first payout: checkout, return, charge, ledger. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds } from "../../support/databases.ts";
import { askToken, callback, redeeming } from "../../support/marketplace.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PlatformWorld } from "../../support/platform-billing.ts";

describe.each([...databaseKinds])("on %s", (kind) => {
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
});
