/** The lifecycle of a subscription with platform billing: trial, renewals, failed payment and grace period, uninstall and reinstall. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findInstallsIn } from "../../../src/marketplace/installs/install.queries.ts";
import { uninstallApp } from "../../../src/marketplace/installs/install.service.ts";
import { request } from "../../support/client.ts";
import { sampleOf } from "../../support/chance.ts";
import { databaseKinds } from "../../support/databases.ts";
import { askToken, callback, givenApp, givenTokens, redeeming } from "../../support/marketplace.ts";
import type { TestApp } from "../../support/marketplace.ts";
import { createPerson } from "../../support/person.ts";
import type { Page } from "../../support/person.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PaidApp, PlatformWorld } from "../../support/platform-billing.ts";
import { statementsDuring } from "../../support/statements.ts";

describe.each(sampleOf("Platform billing: lifecycle", 1, databaseKinds))("on %s", (kind) => {
  let platform: PlatformWorld;
  beforeAll(async () => {
    platform = await createPlatformWorld(kind);
  });
  afterAll(() => platform?.close());

  const tokenOf = async (app: TestApp, { location }: Page) => {
    const code = new URL(location).searchParams.get("code")!;
    const { body } = await askToken(platform.world.url, redeeming(app, code));
    return body.access_token as string;
  };
  /** The status of a request of the app. */
  const ask = async (key: string) => {
    const path = `/api/v1/contacts?location_id=${platform.world.north}`;
    const { status, body } = await request(platform.world.url, { method: "GET", path, key });
    return status === 200 ? 200 : `${status} ${body.error}`;
  };
  const takeOut = async (app: TestApp, locationId = platform.world.north) => {
    const installs = await findInstallsIn(platform.world.service.database, [locationId]);
    const { id } = installs.find((one) => one.app.id === app.id)!;
    await platform.world.service.inWorkspace(platform.world.acme).change((change) => uninstallApp(change, id));
  };
  const charged = ({ account }: PaidApp) =>
    platform.stripe.books.movements.filter((one) => one.kind === "charge" && one.account === account).length;

  test("a trial costs nothing, and then each month is charged", async () => {
    const app = await platform.givenApp();
    const before = charged(app);
    await platform.install(app);
    await platform.settle();
    expect([await platform.statuses(app), charged(app)]).toEqual([["trialing"], before]);
    await platform.pass({ days: 14 });
    await platform.settle();
    expect([await platform.statuses(app), charged(app)]).toEqual([["active"], before + 1]);
    await platform.pass({ days: 62 });
    await platform.settle();
    expect(charged(app)).toBe(before + 3);
    expect(await platform.ledger()).toEqual(platform.books());
  });

  test("a request of a paid app runs the statements of a free app's, and none more", async () => {
    const { world, olga } = platform;
    const free = await givenTokens(world, olga, await givenApp(world, { name: "Free" }), world.north);
    const paid = await platform.givenApp();
    const { page } = await platform.install(paid, world.north);
    const tokens = [free.access_token, await tokenOf(paid, page)];
    const sent: string[][] = [];
    for (const token of tokens) {
      await ask(token);
      sent.push(await statementsDuring(world, async () => expect(await ask(token)).toBe(200)));
    }
    expect(sent[0]).not.toEqual([]);
    expect(sent[1]).toEqual(sent[0]);
  });

  test("what is past due keeps working for seven days, then answers 402 until it is paid", async () => {
    const app = await platform.givenApp({ trialDays: 1 });
    const { page, subscription } = await platform.install(app, platform.world.north, { pays: false });
    const token = await tokenOf(app, page);
    // The access token is made to outlast the grace period: this test is about the subscription.
    const { database } = platform.world.service;
    await database.transaction(({ rows }) =>
      rows("update oauth_tokens set access_expires_at = ?", [new Date("2030-01-01")]),
    );
    const { books } = platform.stripe;
    await platform.pass({ days: 1 });
    await platform.settle();
    const fresh = () => ask(token);
    expect([await platform.statuses(app), await fresh()]).toEqual([["past_due"], 200]);

    platform.clock.advance({ days: 6, hours: 23 });
    expect(await fresh()).toBe(200);
    platform.clock.advance({ hours: 1 });
    expect(await fresh()).toBe("402 payment_required");

    const { customer, latest_invoice } = books.subscriptions.get(subscription)!;
    const installs = await findInstallsIn(database, [platform.world.north]);
    const { id } = installs.find((one) => one.app.id === app.id)!;
    const portal = await platform.olga.get(`/apps/${id}/billing`);
    expect([portal.status, portal.location]).toEqual([303, expect.stringContaining(`/portal/${customer as string}?`)]);
    expect((await platform.olga.get(`/apps/${id + 1000}/billing`)).status).toBe(404);
    expect((await createPerson(platform.world.url).get(`/apps/${id}/billing`)).location).toBe("/sign-in");
    books.cards.set(customer as string, true);
    books.payInvoice(latest_invoice as string);
    await platform.settle();
    expect([await platform.statuses(app), await fresh()]).toEqual([["active"], 200]);
  });

  test("an uninstall cancels at once without a refund; a reinstall inside the paid period resumes, one after it pays anew", async () => {
    const app = await platform.givenApp({ trialDays: 0 });
    const { subscription } = await platform.install(app);
    await platform.settle();
    const { books } = platform.stripe;
    const ends = () => books.subscriptions.get(subscription)!.cancel_at_period_end;
    const before = charged(app);

    await takeOut(app);
    await platform.settle();
    expect([await platform.statuses(app), ends(), books.refunds.size]).toEqual([["canceled"], true, 0]);
    await platform.pass({ days: 20 });
    const again = await platform.allow(app);
    expect(again.location.split("?")[0]).toBe(callback);
    await platform.settle();
    expect([await platform.statuses(app), ends()]).toEqual([["active"], false]);

    await takeOut(app);
    await platform.settle();
    await platform.pass({ days: 20 });
    await platform.settle();
    expect([books.subscriptions.get(subscription)!.status, charged(app)]).toEqual(["canceled", before]);
    expect((await platform.install(app)).page.location.split("?")[0]).toBe(callback);
    await platform.settle();
    expect([await platform.statuses(app), charged(app)]).toEqual([["active"], before + 1]);
  });

  test("a company pays once for all of its locations, until the last of them takes the app out", async () => {
    const app = await platform.givenApp({ trialDays: 0, installType: "company" });
    const before = charged(app);
    await platform.install(app);
    expect((await platform.allow(app, platform.world.south)).location.split("?")[0]).toBe(callback);
    await platform.settle();
    expect(charged(app)).toBe(before + 1);
    await takeOut(app);
    await platform.settle();
    expect(await platform.statuses(app)).toEqual(["active"]);
    await takeOut(app, platform.world.south);
    await platform.settle();
    expect(await platform.statuses(app)).toEqual(["canceled"]);
  });

  test("two tabs that allow the same app have one checkout between them, and pay once", async () => {
    const app = await platform.givenApp({ trialDays: 0 });
    const before = charged(app);
    const first = platform.sessionOf(await platform.allow(app));
    const second = platform.sessionOf(await platform.allow(app));
    const { books } = platform.stripe;
    expect([books.session(first).status, books.session(second).status]).toEqual(["expired", "open"]);
    books.complete(second);
    expect((await platform.olga.get(platform.returnPathOf(second))).location.split("?")[0]).toBe(callback);
    // The other tab finds the subscription paid.
    const other = await platform.olga.get(platform.returnPathOf(first));
    expect([other.status, other.text]).toEqual([200, expect.stringContaining("Your payment is not finished")]);
    const done = await platform.olga.submit(other);
    expect([done.location.split("?")[0], charged(app)]).toEqual([callback, before + 1]);
  });

  test("a checkout that was left charges and installs nothing, and can be tried again", async () => {
    const app = await platform.givenApp();
    const session = platform.sessionOf(await platform.allow(app));
    const left = await platform.olga.get(platform.returnPathOf(session));
    expect(left.text).toContain("Nothing was charged");
    expect(platform.sessionOf(await platform.olga.submit(left))).toBe(session);
    await platform.pass({ hours: 23, minutes: 59 });
    platform.stripe.books.expireSession(session);
    const fresh = platform.sessionOf(await platform.olga.submit(left));
    expect(fresh).not.toBe(session);
    platform.stripe.books.complete(fresh);
    expect((await platform.olga.get(platform.returnPathOf(fresh))).location.split("?")[0]).toBe(callback);
  });

  test.each(["before", "after", 429, 500] as const)(
    "where Stripe answers %s, the person reads a sentence, and trying again makes one checkout",
    async (fault) => {
      const app = await platform.givenApp();
      const { stripe, olga } = platform;
      stripe.fault = ({ path }) => (path === "checkout/sessions" ? fault : "ok");
      const page = await platform.allow(app);
      expect([page.status, page.text]).toEqual([503, expect.stringContaining("Stripe is unreachable")]);
      expect(page.text).toContain("Nothing was charged");
      stripe.fault = () => "ok";
      const session = platform.sessionOf(await olga.submit(page));
      const open = [...stripe.books.sessions.values()].filter(
        ({ status, terms }) => status === "open" && terms.destination === app.account,
      );
      expect(open.map(({ id }) => id)).toEqual([session]);
    },
    20_000,
  );

  test("two tabs that come back from one checkout at the same time finish one install", async () => {
    const app = await platform.givenApp({ trialDays: 0 });
    const { books } = platform.stripe;
    const before = charged(app);
    const session = platform.sessionOf(await platform.allow(app));
    books.complete(session);
    const tabs = Array.from({ length: 8 }, () => platform.olga.get(platform.returnPathOf(session)));
    const pages = await Promise.all(tabs);
    expect(pages.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, ...Array(7).fill(400)]);
    await platform.settle();
    expect([await platform.statuses(app), charged(app)]).toEqual([["active"], before + 1]);
  });

  test.each([
    ["its scopes were taken back", "update apps set scopes = '[]' where id = ?"],
    ["its billing was stopped", "update apps set billing = 'none', price_cents = null, trial_days = null where id = ?"],
    ["it is a draft again", "update apps set published_at = null where id = ?"],
    ["its owner can take no charges", "update apps set charges_enabled = ? where id = ?"],
  ])("a checkout that is finished after %s installs, or is refunded within a day", async (_name, text) => {
    const app = await platform.givenApp({ trialDays: 0 });
    const session = platform.sessionOf(await platform.allow(app));
    platform.stripe.books.complete(session);
    const { database } = platform.world.service;
    await database.transaction(({ rows }) => rows(text, text.includes("= ? where") ? [false, app.id] : [app.id]));
    const page = await platform.olga.get(platform.returnPathOf(session));
    expect([303, 403, 422]).toContain(page.status);
    await platform.settle();
    await platform.pass({ days: 1, minutes: 1 });
    await platform.settle();
    expect(await platform.ledger()).toEqual(platform.books());
    const { net_cents } = (await platform.payouts()).find((one) => one.app.client_id === app.client_id)!;
    expect(net_cents).toBe(page.status === 303 ? 2900 : 0);
  });

  test("a checkout that is finished after the app was taken back is ended and refunded; another price holds for others", async () => {
    const app = await platform.givenApp({ trialDays: 0 });
    const { olga, stripe, world } = platform;
    const session = platform.sessionOf(await platform.allow(app));
    const { id } = stripe.books.complete(session);
    const { database } = world.service;
    const setUris = (uris: string) =>
      database.transaction(({ rows }) => rows("update apps set redirect_uris = ? where id = ?", [uris, app.id]));
    await setUris('["https://app.example.com/other"]');
    const page = await olga.get(platform.returnPathOf(session));
    expect([page.status, page.text]).toEqual([403, expect.stringContaining("what was charged is refunded")]);
    await platform.settle();
    expect([stripe.books.subscriptions.get(id)!.status, await platform.statuses(app)]).toEqual([
      "canceled",
      ["canceled"],
    ]);
    expect(await platform.ledger()).toEqual(platform.books());
    const { net_cents } = (await platform.payouts()).find((one) => one.app.client_id === app.client_id)!;
    expect(net_cents).toBe(0);

    await setUris(JSON.stringify([callback]));
    const later = platform.sessionOf(await platform.allow(app));
    await database.transaction(({ rows }) => rows("update apps set price_cents = 3900 where id = ?", [app.id]));
    expect(stripe.books.complete(later).terms.price).toBe(2900);
    expect((await olga.get(platform.returnPathOf(later))).location.split("?")[0]).toBe(callback);
  });

  test("the consent page says what it costs before anyone decides", async () => {
    const { olga } = platform;
    const { authorizePath } = await import("../../support/marketplace.ts");
    const trial = await platform.givenApp({ installType: "company" });
    expect((await olga.get(authorizePath(trial))).text.replaceAll(/<[^>]+>|\s+/g, " ").replaceAll(/ +/g, " ")).toMatch(
      /14 days free, then \$29\.00 a month, paid by Acme ?by card at Stripe/,
    );
    const none = await platform.givenApp({ trialDays: 0, priceCents: 100_000 });
    expect((await olga.get(authorizePath(none))).text).toContain("$1,000.00 a month, paid by the location");
  });
});
