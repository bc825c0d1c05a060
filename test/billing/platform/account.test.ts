/** The account of an app's owner at Stripe: made once, completed at Stripe, and required to publish. Payouts by month and app, as CSV too. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { publishApp } from "../../../src/marketplace/apps/app.operations.ts";
import { createApp } from "../../../src/marketplace/apps/app.service.ts";
import { connectApp, getAppAccount } from "../../../src/marketplace/billing/platform/account.operations.ts";
import { toPayoutsCsv } from "../../../src/marketplace/billing/platform/ledger/payouts.csv.ts";
import {
  listCharges,
  listPayouts,
  refundCharge,
} from "../../../src/marketplace/billing/platform/platform.operations.ts";
import { sampleOf } from "../../support/chance.ts";
import { databaseKinds } from "../../support/databases.ts";
import { callback } from "../../support/marketplace.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PlatformWorld } from "../../support/platform-billing.ts";

describe.each(sampleOf("Platform billing: account", 1, databaseKinds))("on %s", (kind) => {
  let platform: PlatformWorld;
  beforeAll(async () => {
    platform = await createPlatformWorld(kind);
  });
  afterAll(() => platform?.close());
  const owner = () => platform.world.service.inWorkspace(platform.world.acme);

  test("an owner connects once, also in two tabs and after a lost answer; publishing waits for Stripe", async () => {
    const { stripe, world } = platform;
    const { carryOut } = world.service;
    const app = await owner().change((change) =>
      createApp(change, {
        name: "Ledgerline",
        redirect_uris: [callback],
        scopes: ["contacts.readonly"],
        billing: "platform",
        price_cents: 2900,
      }),
    );
    const status = () => carryOut(getAppAccount, owner(), { app: app.id });
    expect(await status()).toMatchObject({ account_id: null, charges_enabled: false, missing: ["account"] });

    stripe.fault = ({ method, path }) => (method === "POST" && path === "accounts" ? "after" : "ok");
    await expect(carryOut(connectApp, owner(), { app: app.id })).rejects.toMatchObject({
      code: "processor_unavailable",
    });
    stripe.fault = () => "ok";
    const tabs = await Promise.all([1, 2].map(() => carryOut(connectApp, owner(), { app: app.id })));
    expect([new Set(tabs.map(({ account_id }) => account_id)).size, stripe.books.accounts.size]).toEqual([1, 1]);
    const id = tabs[0]!.account_id!;
    expect(tabs[0]!.url).toContain(`${stripe.url}/onboard/${id}?`);
    expect(await status()).toEqual({
      client_id: app.client_id,
      account_id: id,
      charges_enabled: false,
      payouts_enabled: false,
      missing: ["external_account", "individual.verification.document"],
    });
    const publish = () => carryOut(publishApp, owner(), { app: app.id });
    await expect(publish()).rejects.toMatchObject({ code: "platform_account_incomplete" });

    // Its webhook alone opens the way; then the app is published.
    stripe.books.onboard(id);
    await platform.settle();
    expect((await publish()).published_at).not.toBeNull();
    expect(await status()).toMatchObject({ charges_enabled: true, payouts_enabled: true, missing: [] });
  }, 20_000);

  test("payouts are listed by month and by app, and as CSV; those of other workspaces are not found", async () => {
    const { service, other } = platform.world;
    const app = await platform.givenApp({ trialDays: 0 });
    await service.database.transaction(({ rows }) =>
      rows("update apps set name = ? where id = ?", ['=1+1,"x"', app.id]),
    );
    await platform.install(app);
    await platform.settle();
    await platform.pass({ days: 31 });
    await platform.settle();
    const list = (query: { app?: string; month?: string }, caller = owner()) =>
      service.carryOut(listPayouts, caller, { query: { app: undefined, month: undefined, ...query } });
    const cents = { currency: "usd", gross_cents: 2900, refunds_cents: 0, disputes_cents: 0 };
    const payout = {
      ...cents,
      app: { name: '=1+1,"x"', client_id: app.client_id },
      net_cents: 2900,
      transferred_cents: 2900,
    };
    expect(await list({ app: app.client_id })).toEqual([
      { ...payout, period: "2026-03" },
      { ...payout, period: "2026-04" },
    ]);
    const [april] = [await list({ month: "2026-04" })];
    expect(april).toEqual([{ ...payout, period: "2026-04" }]);
    expect(toPayoutsCsv(april)).toBe(
      `app,client_id,period,currency,gross_cents,refunds_cents,disputes_cents,net_cents,transferred_cents\n"'=1+1,""x""",${app.client_id},2026-04,usd,2900,0,0,2900,2900\n`,
    );
    // A refund counts in the month in which it is made, not in that of its charge.
    const { id: march } = (await service.carryOut(listCharges, owner(), {})).data.at(-1)!;
    await service.carryOut(refundCharge, owner(), { charge: march, input: { amount_cents: 1000 } });
    expect(await list({ app: app.client_id })).toEqual([
      { ...payout, period: "2026-03" },
      { ...payout, period: "2026-04", refunds_cents: 1000, net_cents: 1900, transferred_cents: 1900 },
    ]);
    await expect(list({ app: app.client_id }, service.inWorkspace(other))).rejects.toMatchObject({
      code: "app.not_found",
    });
    await expect(list({ month: "2026-13" })).rejects.toMatchObject({ errors: { month: [expect.any(String)] } });
  });
});
