/** A changed price of existing subscriptions: each payer is mailed, and charged the new price from the first renewal after thirty days. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { updateApp } from "../../../src/marketplace/billing/app-change.operations.ts";
import { listSubscriptions } from "../../../src/marketplace/billing/billing.operations.ts";
import { changeExistingPrices } from "../../../src/marketplace/billing/platform/price/price.operations.ts";
import { findInstallsIn } from "../../../src/marketplace/installs/install.queries.ts";
import { uninstallApp } from "../../../src/marketplace/installs/install.service.ts";
import { openService } from "../../../src/service.ts";
import { sampleOf } from "../../support/chance.ts";
import { databaseKinds } from "../../support/databases.ts";
import { startMailServer } from "../../support/mail-server.ts";
import type { MailServer } from "../../support/mail-server.ts";
import type { TestApp } from "../../support/marketplace.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PlatformWorld } from "../../support/platform-billing.ts";

const payer = "olga@acme.example";

/**
 * A month later, the new price applies. Stripe's event of the change is delivered as well: a read that began before the change may be
 * stored after it.
 */
async function renew(platform: PlatformWorld): Promise<void> {
  await platform.pass({ days: 31 });
  await platform.settle();
  await platform.settle();
}

describe.each(sampleOf("Platform billing: price change", 1, databaseKinds))("on %s", (kind) => {
  let platform: PlatformWorld;
  let mail: MailServer;
  /** Replies of the mail server to a recipient; undefined accepts. */
  let refusal: [number, string] | undefined;
  beforeAll(async () => {
    mail = await startMailServer({ rcpt: () => refusal });
    const environment = { CRM_SMTP_URL: mail.url, CRM_MAIL_FROM: "Acme <crm@acme.example>" };
    platform = await createPlatformWorld(kind, environment);
  });
  beforeEach(() => {
    mail.mails.length = 0;
    refusal = undefined;
  });
  afterAll(async () => {
    await platform?.close();
    await mail?.[Symbol.asyncDispose]();
  });

  const owner = () => platform.world.service.inWorkspace(platform.world.acme);
  /** `crm apps update --price-cents --existing`; resolves to the number of subscriptions that will change. */
  const setPrice = async ({ id }: TestApp, price_cents: number): Promise<number> => {
    const { carryOut } = platform.world.service;
    await carryOut(updateApp, owner(), { app: id, input: { price_cents } });
    return (await carryOut(changeExistingPrices, owner(), { app: id })).subscriptions;
  };
  /** An app with a subscription of USD 29.00, paid until 1 April. */
  const givenSold = async () => {
    const app = await platform.givenApp({ trialDays: 0 });
    const { subscription } = await platform.install(app);
    await platform.settle();
    return { app, subscription };
  };
  const shown = async ({ client_id }: TestApp) => {
    const { data } = await platform.world.service.carryOut(listSubscriptions, owner(), {});
    return data
      .filter((one) => one.app.client_id === client_id)
      .map(({ status, amount_cents, next_amount_cents, next_amount_from }) =>
        [status, amount_cents, next_amount_cents, next_amount_from?.slice(0, 10)].filter(Boolean).join(" "),
      );
  };
  const day = (days: number) => new Date(platform.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const charges = (app: { account: string }) =>
    platform.stripe.books.movements
      .filter((one) => one.kind === "charge" && one.account === app.account)
      .map(({ amount }) => amount);
  const takeOut = async (app: TestApp) => {
    const installs = await findInstallsIn(platform.world.service.database, [platform.world.north]);
    await owner().change((change) => uninstallApp(change, installs.find((one) => one.app.id === app.id)!.id));
  };
  const letters = () =>
    mail.mails.map(({ to, headers, raw }) => ({
      to: to.join(),
      subject: headers["subject"]!.join(),
      text: raw.slice(raw.indexOf("\r\n\r\n")).replaceAll("=\r\n", "").replaceAll("\r\n", "\n"),
    }));

  test.each([
    ["raised", 3900],
    ["lowered", 1900],
  ])("a %s price is mailed at once, and charged from the first renewal after thirty days", async (_name, price) => {
    const { app } = await givenSold();
    expect(await setPrice(app, price)).toBe(1);
    expect(await shown(app)).toEqual([`active 2900 ${price}`]);
    await platform.settle();
    expect(letters()).toEqual([
      {
        to: payer,
        subject: "The price of Ledgerline changes",
        text: expect.stringContaining(`from $29.00 to $${price / 100}.00 a month`),
      },
    ]);
    const announced = [`active 2900 ${price} ${day(30)}`];
    expect(await shown(app)).toEqual(announced);
    // The same again changes nothing.
    expect(await setPrice(app, price)).toBe(0);

    await platform.pass({ days: 29, hours: 23 });
    await platform.settle();
    expect(await shown(app)).toEqual(announced);
    await platform.pass({ hours: 1 });
    await platform.settle();
    expect(await shown(app)).toEqual([`active ${price}`]);
    await renew(platform);
    expect([charges(app)[0], charges(app).at(-1), mail.mails.length]).toEqual([2900, price, 1]);
    expect(await platform.ledger()).toEqual(platform.books());
    expect(await setPrice(app, price)).toBe(0);
  });

  test("a renewal within the thirty days is charged the old price", async () => {
    const { app } = await givenSold();
    await platform.pass({ days: 20 });
    await setPrice(app, 3900);
    await platform.settle();
    await platform.pass({ days: 25 });
    await platform.settle();
    await platform.pass({ days: 5 });
    await platform.settle();
    expect([charges(app), await shown(app)]).toEqual([[2900, 2900], ["active 3900"]]);
    await platform.pass({ days: 31 });
    expect(charges(app)).toEqual([2900, 2900, 3900]);
  });

  test("without --existing, the price holds for new installs alone", async () => {
    const { app } = await givenSold();
    await platform.world.service.carryOut(updateApp, owner(), { app: app.id, input: { price_cents: 4900 } });
    await platform.install(app, platform.world.south);
    await platform.settle();
    await platform.pass({ days: 62 });
    await platform.settle();
    expect([await shown(app), mail.mails.length]).toEqual([["active 2900", "active 4900"], 0]);
  });

  test("of two changes within thirty days the later one counts, thirty days after its own mail", async () => {
    const { app } = await givenSold();
    await setPrice(app, 3900);
    await platform.settle();
    await platform.pass({ days: 20 });
    expect(await setPrice(app, 4900)).toBe(1);
    await platform.settle();
    expect(await shown(app)).toEqual([`active 2900 4900 ${day(30)}`]);
    await platform.pass({ days: 20 });
    await platform.settle();
    expect([await shown(app), charges(app)]).toEqual([[`active 2900 4900 ${day(10)}`], [2900, 2900]]);
    await renew(platform);
    expect(await shown(app)).toEqual(["active 4900"]);
    await platform.pass({ days: 31 });
    expect([charges(app).at(-1), mail.mails.length]).toEqual([4900, 2]);
  });

  test("a change that is taken back is mailed if it was announced, and is silent otherwise", async () => {
    const { app } = await givenSold();
    await setPrice(app, 3900);
    expect(await setPrice(app, 2900)).toBe(0);
    await platform.settle();
    expect(mail.mails.length).toBe(0);

    await setPrice(app, 3900);
    await platform.settle();
    expect(await setPrice(app, 2900)).toBe(1);
    await platform.settle();
    expect(letters().map(({ subject }) => subject)).toEqual([
      "The price of Ledgerline changes",
      "The price of Ledgerline stays the same",
    ]);
    await platform.pass({ days: 62 });
    await platform.settle();
    expect([await shown(app), new Set(charges(app))]).toEqual([["active 2900"], new Set([2900])]);
  });

  test("an app that is uninstalled before its mail gets none; after it, the price holds if the subscription resumes", async () => {
    const { app } = await givenSold();
    await setPrice(app, 3900);
    await takeOut(app);
    await platform.settle();
    expect([mail.mails.length, await shown(app)]).toEqual([0, ["canceled 2900"]]);

    const sold = await givenSold();
    await platform.pass({ days: 10 });
    await setPrice(sold.app, 3900);
    await platform.settle();
    await platform.pass({ days: 25 });
    await takeOut(sold.app);
    await platform.settle();
    await platform.pass({ days: 5 });
    await platform.settle();
    await platform.allow(sold.app);
    await platform.settle();
    expect([await shown(sold.app), mail.mails.length]).toEqual([["active 3900"], 1]);
    // A subscription that has ended at Stripe meanwhile is left alone.
    await setPrice(sold.app, 4900);
    await platform.settle();
    platform.stripe.books.cancelSubscription(sold.subscription);
    await platform.settle();
    await renew(platform);
    expect(await shown(sold.app)).toEqual(["canceled 3900"]);
  });

  test("the thirty days begin when the mail server has accepted the mail; one that it refuses for good keeps the price", async () => {
    const { app } = await givenSold();
    refusal = [451, "Try later"];
    await setPrice(app, 3900);
    await platform.settle();
    expect(await shown(app)).toEqual(["active 2900 3900"]);
    refusal = undefined;
    await platform.pass({ days: 3 });
    await platform.settle();
    expect([await shown(app), mail.mails.length]).toEqual([[`active 2900 3900 ${day(30)}`], 1]);

    const other = await givenSold();
    refusal = [550, "No such user"];
    await setPrice(other.app, 3900);
    await platform.settle();
    expect(await shown(other.app)).toEqual(["active 2900"]);
    refusal = undefined;
    expect(await setPrice(other.app, 3900)).toBe(1);
    await platform.settle();
    expect(await shown(other.app)).toEqual([`active 2900 3900 ${day(30)}`]);
  });

  test("of two workers one mails each payer, and Stripe changes the price once", async () => {
    const { app, subscription } = await givenSold();
    await platform.install(app, platform.world.south);
    await platform.settle();
    await setPrice(app, 3900);
    const { service } = platform.world;
    const second = await openService(service.settings, { log: service.log, clock: platform.clock });
    const both = () => Promise.all([service.worker.runOnce(), second.worker.runOnce()]);
    try {
      await both();
      expect(letters().map(({ to }) => to)).toEqual([payer, payer]);
      await platform.pass({ days: 30 });
      await both();
    } finally {
      await second.close();
    }
    const updates = platform.stripe.asked.filter(({ path, key }) => path.endsWith(subscription) && key !== undefined);
    expect(new Set(updates.map(({ key }) => key)).size).toBe(1);
    expect(await shown(app)).toEqual(["active 3900", "active 3900"]);
  });

  test.each(["before", "after", 429, 500] as const)(
    "where Stripe answers %s to the change, it is retried until it holds",
    async (fault) => {
      const { app } = await givenSold();
      await setPrice(app, 3900);
      await platform.settle();
      const { stripe } = platform;
      stripe.fault = ({ method, path }) => (method === "POST" && path.startsWith("subscriptions/") ? fault : "ok");
      await platform.pass({ days: 30 });
      await platform.settle();
      stripe.fault = () => "ok";
      await platform.pass({ days: 2 });
      await platform.settle();
      expect([await shown(app), mail.mails.length]).toEqual([["active 3900"], 1]);
    },
    20_000,
  );

  test("only an app with platform billing has a price to change", async () => {
    const { carryOut } = platform.world.service;
    const app = await platform.givenApp({ isPublished: false });
    await carryOut(updateApp, owner(), { app: app.id, input: { billing: "none" } });
    expect(await carryOut(changeExistingPrices, owner(), { app: app.id })).toEqual({
      price_cents: null,
      subscriptions: 0,
    });
    await expect(carryOut(changeExistingPrices, owner(), { app: 999_999 })).rejects.toMatchObject({
      code: "app.not_found",
    });
  });
});

test.each(sampleOf("Platform billing: price change, alone", 1, databaseKinds))(
  "without a mail server, the log on %s names who is to be told",
  async (kind) => {
    const platform = await createPlatformWorld(kind);
    try {
      const { service, acme } = platform.world;
      const app = await platform.givenApp({ trialDays: 0 });
      await platform.install(app);
      await platform.settle();
      const told: unknown[] = [];
      service.log.level = 1;
      service.log.setReporters([{ log: ({ args }) => told.push(args) }]);
      const owner = service.inWorkspace(acme);
      await service.carryOut(updateApp, owner, { app: app.id, input: { price_cents: 3900 } });
      await service.carryOut(changeExistingPrices, owner, { app: app.id });
      await platform.settle();
      expect(told).toEqual([
        [
          "a payer was not notified of a price change: set CRM_SMTP_URL",
          expect.objectContaining({ to: payer, subject: "The price of Ledgerline changes" }),
        ],
      ]);
      await renew(platform);
      const { data } = await service.carryOut(listSubscriptions, owner, {});
      expect(data.map(({ amount_cents }) => amount_cents)).toEqual([3900]);
    } finally {
      await platform.close();
    }
  },
);
