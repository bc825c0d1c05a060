/** What a payer sees: return links of another person, replayed and out of date; the state of a payment on the start page; the way to Stripe's portal. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { updateApp } from "../../../src/marketplace/billing/app-change.operations.ts";
import { changeExistingPrices } from "../../../src/marketplace/billing/platform/price/price.operations.ts";
import { findInstallsIn } from "../../../src/marketplace/installs/install.queries.ts";
import { uninstallApp } from "../../../src/marketplace/installs/install.service.ts";
import { sampleOf } from "../../support/chance.ts";
import { databaseKinds } from "../../support/databases.ts";
import { startMailServer } from "../../support/mail-server.ts";
import type { MailServer } from "../../support/mail-server.ts";
import { callback, givenPasswords } from "../../support/marketplace.ts";
import type { TestApp } from "../../support/marketplace.ts";
import { createPerson } from "../../support/person.ts";
import type { Person } from "../../support/person.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PlatformWorld } from "../../support/platform-billing.ts";

describe.each(sampleOf("Platform billing: payer pages", 1, databaseKinds))("on %s", (kind) => {
  let platform: PlatformWorld;
  let mail: MailServer;
  let otto: Person;
  beforeAll(async () => {
    mail = await startMailServer();
    const environment = { CRM_SMTP_URL: mail.url, CRM_MAIL_FROM: "Acme <crm@acme.example>" };
    platform = await createPlatformWorld(kind, environment);
    await givenPasswords(platform.world);
    otto = createPerson(platform.world.url);
    await otto.signIn("otto@other.example");
  });
  afterAll(async () => {
    await platform?.close();
    await mail?.[Symbol.asyncDispose]();
  });

  const installsOf = async ({ id }: TestApp) =>
    (await findInstallsIn(platform.world.service.database, [platform.world.north])).filter((one) => one.app.id === id);
  const owner = () => platform.world.service.inWorkspace(platform.world.acme);
  const textOf = ({ text }: { text: string }) => text.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
  /** What has happened to the app: its installs, subscriptions and charges. */
  const traces = async (app: TestApp & { account: string }) => [
    (await installsOf(app)).length,
    await platform.statuses(app),
    platform.stripe.books.movements.filter(({ account }) => account === app.account).length,
  ];

  describe("a return link", () => {
    const left = "You left the payment before it was finished.";
    const spent = "It is already finished, or you allowed it more than a day ago.";
    const foreign = "Only the person who allowed";

    test("that is opened without a session leads to the sign-in, and back", async () => {
      const app = await platform.givenApp({ trialDays: 0 });
      const session = platform.sessionOf(await platform.allow(app));
      platform.stripe.books.complete(session);
      const path = platform.returnPathOf(session);
      const page = await createPerson(platform.world.url).get(path);
      expect([page.status, page.location]).toEqual([303, `/sign-in?continue=${encodeURIComponent(path)}`]);
      expect(await installsOf(app)).toEqual([]);
    });

    test("of another person is refused, to look at and to press, whatever its address says", async () => {
      const app = await platform.givenApp({ trialDays: 0 });
      const session = platform.sessionOf(await platform.allow(app));
      const path = platform.returnPathOf(session);
      const before = await traces(app);
      const page = await otto.get(`${path}?session_id=${session}&paid=true`);
      expect([page.status, textOf(page)]).toEqual([403, expect.stringContaining(foreign)]);
      const mine = await platform.olga.get(path);
      expect(textOf(mine)).toContain(left);
      // Otto's own session and form token, at Olga's address.
      const pressed = await otto.submit({ ...page, text: page.text.replaceAll("/sign-out", path) });
      expect([pressed.status, textOf(pressed)]).toEqual([403, expect.stringContaining(foreign)]);
      expect(await traces(app)).toEqual(before);
    });

    test("of an app that is a draft again, in a workspace of others, installs nothing and is refunded", async () => {
      const app = await platform.givenApp({ trialDays: 0 });
      const { stripe, world } = platform;
      const session = platform.sessionOf(await platform.allow(app, world.foreign, otto));
      stripe.books.complete(session);
      await world.service.database.transaction(({ rows }) =>
        rows("update apps set published_at = null where id = ?", [app.id]),
      );
      const page = await otto.get(platform.returnPathOf(session));
      expect([page.status, textOf(page)]).toEqual([403, expect.stringContaining("what was charged is refunded")]);
      await platform.settle();
      expect(await platform.ledger()).toEqual(platform.books());
      const { net_cents } = (await platform.payouts()).find((one) => one.app.client_id === app.client_id)!;
      expect([net_cents, [...stripe.books.subscriptions.values()].at(-1)!.status]).toEqual([0, "canceled"]);
    });

    test("that is replayed does nothing: after it finished, after an uninstall, after a day", async () => {
      const app = await platform.givenApp({ trialDays: 0 });
      const session = platform.sessionOf(await platform.allow(app));
      const path = platform.returnPathOf(session);
      const form = await platform.olga.get(path);
      platform.stripe.books.complete(session);
      expect((await platform.olga.get(path)).location.split("?")[0]).toBe(callback);
      const isSpent = async () => {
        const before = await traces(app);
        for (const page of [await platform.olga.get(path), await platform.olga.submit(form)])
          expect([page.status, textOf(page)]).toEqual([400, expect.stringContaining(spent)]);
        expect(await traces(app)).toEqual(before);
      };
      await isSpent();
      const [install] = await installsOf(app);
      await owner().change((change) => uninstallApp(change, install!.id));
      await platform.settle();
      await isSpent();

      const other = await platform.givenApp({ trialDays: 0 });
      const old = platform.returnPathOf(platform.sessionOf(await platform.allow(other)));
      await platform.pass({ days: 1, minutes: 1 });
      const late = await platform.olga.get(old);
      expect([late.status, textOf(late)]).toEqual([400, expect.stringContaining(spent)]);
      expect(await traces(other)).toEqual([0, ["incomplete"], 0]);
    });
  });

  test("the start page shows the price, the trial, what is to come and what is unpaid, with the way to the portal", async () => {
    const app = await platform.givenApp({ trialDays: 14 });
    const { subscription } = await platform.install(app);
    const { id } = (await installsOf(app))[0]!;
    const { olga, stripe, clock } = platform;
    const day = (days: number) =>
      new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(
        new Date(clock.now().getTime() + days * 86_400_000),
      );
    const shown = async () => textOf(await olga.get("/"));
    expect(await shown()).toContain(`$29.00 a month, free until ${day(14)} . Billing at Stripe`);
    const { carryOut } = platform.world.service;
    await carryOut(updateApp, owner(), { app: app.id, input: { price_cents: 3900 } });
    await carryOut(changeExistingPrices, owner(), { app: app.id });
    await platform.settle();
    expect(await shown()).toContain(`$39.00 a month from the first payment after ${day(30)} . Billing`);

    const { customer } = stripe.books.subscriptions.get(subscription)!;
    stripe.books.cards.set(customer as string, false);
    mail.mails.length = 0;
    await platform.pass({ days: 14 });
    await platform.settle();
    await platform.settle();
    expect(await shown()).toContain(
      `The payment failed. The app stops working on ${day(7)} unless the invoice is paid.`,
    );
    const { latest_invoice } = stripe.books.subscriptions.get(subscription)!;
    expect(mail.mails.map(({ to, headers }) => [...to, ...headers["subject"]!])).toEqual([
      ["olga@acme.example", "Your payment for Ledgerline failed"],
    ]);
    const letter = mail.mails[0]!.raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
    expect(letter).toContain(`${stripe.url}/invoice/${latest_invoice as string}`);
    expect(letter).toContain("It keeps working for 7 days.");
    await platform.pass({ days: 7 });
    expect(await shown()).toContain("Not paid. The app does not work until the invoice is paid.");
    expect((await olga.get("/")).text).toContain(`href="/apps/${id}/billing"`);

    stripe.fault = ({ path }) => (path === "billing_portal/sessions" ? 429 : "ok");
    const down = await olga.get(`/apps/${id}/billing`);
    expect([down.status, textOf(down)]).toEqual([503, expect.stringContaining("Stripe is unreachable")]);
    stripe.fault = () => "ok";
    expect((await olga.get(`/apps/${id}/billing`)).location).toContain(`${stripe.url}/portal/`);
    otto.cookies.clear();
    await otto.signIn("otto@other.example");
    expect((await otto.get(`/apps/${id}/billing`)).status).toBe(404);

    stripe.books.cards.set(customer as string, true);
    stripe.books.payInvoice(latest_invoice as string);
    await platform.settle();
    expect(await shown()).toContain("$29.00 a month, next payment on");
    const nora = createPerson(platform.world.url);
    await nora.signIn("nora@acme.example");
    const members = await nora.get("/");
    expect([members.text.includes(`/apps/${id}/billing`), textOf(members).includes("$29.00 a month")]).toEqual([
      false,
      true,
    ]);
  });

  test("a failed payment that is paid meanwhile is not mailed", async () => {
    const app = await platform.givenApp({ trialDays: 1 });
    const { subscription } = await platform.install(app, platform.world.north, { pays: false });
    const { books } = platform.stripe;
    mail.mails.length = 0;
    await platform.pass({ days: 1 });
    const { customer, latest_invoice } = books.subscriptions.get(subscription)!;
    await platform.stripe.deliverAll(platform.world.url);
    books.cards.set(customer as string, true);
    books.payInvoice(latest_invoice as string);
    await platform.settle();
    expect([mail.mails.length, await platform.statuses(app)]).toEqual([0, ["active"]]);
  });
});
