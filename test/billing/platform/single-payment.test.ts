/** A payer pays an app once: paid checkouts that are never installed, subscriptions that replace each other, repeated trials. */
import type { Stripe } from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AppChange } from "../../../src/marketplace/apps/app.schema.ts";
import { updateApp } from "../../../src/marketplace/apps/app.service.ts";
import { findInstallsIn } from "../../../src/marketplace/installs/install.queries.ts";
import { uninstallApp } from "../../../src/marketplace/installs/install.service.ts";
import { report } from "../../support/billing.ts";
import { sampleOf } from "../../support/chance.ts";
import { databaseKinds } from "../../support/databases.ts";
import { authorizePath, givenTokens } from "../../support/marketplace.ts";
import type { TestApp } from "../../support/marketplace.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PaidApp, PlatformWorld } from "../../support/platform-billing.ts";
import { isLiving } from "../../support/stripe/books.ts";

describe.each(sampleOf("Platform billing: single payment", 1, databaseKinds))("on %s", (kind) => {
  let platform: PlatformWorld;
  beforeAll(async () => {
    platform = await createPlatformWorld(kind);
  });
  afterAll(() => platform?.close());

  const uninstall = async (app: TestApp) => {
    const { service, acme, north } = platform.world;
    const installs = await findInstallsIn(service.database, [north]);
    const { id } = installs.find((one) => one.app.id === app.id)!;
    await service.inWorkspace(acme).change((change) => uninstallApp(change, id));
  };
  /** What the app has earned, and the states of its subscriptions at Stripe, the oldest first. */
  const atStripe = ({ account }: PaidApp) => {
    const { movements, subscriptions } = platform.stripe.books;
    const signs: Record<string, number> = { charge: 1, refund: -1 };
    const paid = movements.filter((one) => one.account === account);
    const own = [...subscriptions.values()].filter(({ terms }) => terms.destination === account);
    return [
      paid.reduce((sum, { kind: of, amount }) => sum + (signs[of] ?? 0) * amount, 0),
      own.map(({ status }) => status),
    ];
  };
  const isBalanced = async () => {
    await platform.settle();
    expect(await platform.ledger()).toEqual(platform.books());
  };
  const day = { days: 1, minutes: 1 };

  test.each([
    ["its webhooks arrive", false, 0],
    ["its webhooks are lost", true, 0],
    ["it is a trial", false, 14],
  ])("a paid checkout without a return is ended and refunded after a day: %s", async (_name, isLost, trialDays) => {
    const app = await platform.givenApp({ trialDays });
    platform.stripe.books.complete(platform.sessionOf(await platform.allow(app)));
    if (isLost) platform.stripe.books.unsent.length = 0;
    await platform.settle();
    await platform.pass(day);
    await platform.settle();
    if (isLost) {
      // Reconciliation finds the subscription; the day begins then.
      await platform.pass(day);
      await platform.settle();
    }
    await isBalanced();
    expect([atStripe(app), await platform.statuses(app)]).toEqual([[0, ["canceled"]], ["canceled"]]);
    // The next install pays again, with the trial that was never used.
    const session = platform.sessionOf(await platform.allow(app));
    expect(platform.stripe.books.session(session).terms.trialDays).toBe(trialDays);
  });

  test("so is one of an app that was paid on its own page before, and uninstalled", async () => {
    const { world, olga, stripe } = platform;
    const app = await platform.givenApp({ trialDays: 0, isPublished: false });
    const change = (given: AppChange) =>
      world.service.inWorkspace(world.acme).change((to) => updateApp(to, app.id, given));
    await change({ billing: "external", payment_page_url: "https://app.example.com/pay" });
    await report(world.url, app, { locationId: world.north });
    await givenTokens(world, olga, app, world.north);
    await uninstall(app);
    await change({ billing: "platform", price_cents: 2900 });
    stripe.books.complete(platform.sessionOf(await platform.allow(app)));
    await platform.settle();
    expect([atStripe(app), await platform.statuses(app)]).toEqual([[2900, ["active"]], ["active"]]);
    await platform.pass(day);
    await platform.settle();
    await isBalanced();
    expect([atStripe(app), await platform.statuses(app)]).toEqual([[0, ["canceled"]], ["canceled"]]);
  });

  test("a reinstall resumes a canceled subscription, whatever the app has reported meanwhile", async () => {
    const { world } = platform;
    const app = await platform.givenApp({ trialDays: 0 });
    await platform.install(app);
    await platform.settle();
    await uninstall(app);
    await platform.settle();
    expect((await report(world.url, app, { locationId: world.north })).status).toBe(200);
    expect(await platform.statuses(app)).toEqual(["canceled"]);
    expect((await platform.allow(app)).location).toContain("code=");
    await platform.settle();
    await platform.pass({ days: 32 });
    await isBalanced();
    expect([atStripe(app), await platform.statuses(app)]).toEqual([[5800, ["active"]], ["active"]]);
  });

  test("a checkout that is returned from in time keeps its subscription", async () => {
    const app = await platform.givenApp({ trialDays: 0 });
    await platform.install(app);
    await platform.settle();
    await platform.pass(day);
    await isBalanced();
    expect(atStripe(app)).toEqual([2900, ["active"]]);
  });

  test("a reinstall before Stripe has ended a past due subscription is paid once, and replaces it", async () => {
    const app = await platform.givenApp({ trialDays: 1 });
    await platform.install(app, platform.world.north, { pays: false });
    await platform.pass({ days: 1 });
    await platform.settle();
    expect(await platform.statuses(app)).toEqual(["past_due"]);
    await uninstall(app);
    await platform.install(app);
    await isBalanced();
    expect([atStripe(app), await platform.statuses(app)]).toEqual([[2900, ["canceled", "active"]], ["active"]]);
  });

  test("a reinstall after the period, before its end is known here, is paid once", async () => {
    const app = await platform.givenApp({ trialDays: 0 });
    await platform.install(app);
    await platform.settle();
    await uninstall(app);
    await platform.settle();
    await platform.pass({ days: 32 });
    platform.stripe.books.unsent.length = 0;
    await platform.install(app);
    await isBalanced();
    expect([atStripe(app), await platform.statuses(app)]).toEqual([[5800, ["canceled", "active"]], ["active"]]);
  });

  test("a renewal that Stripe charged although the app was uninstalled is refunded", async () => {
    const app = await platform.givenApp({ trialDays: 0 });
    await platform.install(app);
    await platform.settle();
    await uninstall(app);
    // Stripe cannot be told in time.
    await platform.pass({ days: 31 });
    platform.stripe.books.unsent.length = 0;
    expect(atStripe(app)).toEqual([5800, ["active"]]);
    await platform.install(app);
    await isBalanced();
    await isBalanced();
    // The first month of each subscription.
    expect([atStripe(app), await platform.statuses(app)]).toEqual([[5800, ["canceled", "active"]], ["active"]]);
  });

  test.each([
    ["the older first", (events: Stripe.Event[]) => events],
    ["the newer first", (events: Stripe.Event[]) => events.toReversed()],
  ])("of two subscriptions that are paid at once, one is ended and refunded: %s", async (_name, order) => {
    const app = await platform.givenApp({ trialDays: 0 });
    const { books } = platform.stripe;
    const first = platform.sessionOf(await platform.allow(app));
    const second = platform.sessionOf(await platform.allow(app));
    // As if Stripe had not expired the first one.
    books.session(first).status = "open";
    books.complete(first);
    books.complete(second);
    for (const event of order(books.unsent.splice(0))) await platform.settle([event]);
    await isBalanced();
    const own = [...books.subscriptions.values()].filter(({ terms }) => terms.destination === app.account);
    expect([atStripe(app)[0], own.filter(isLiving).length]).toEqual([2900, 1]);
  });

  test("a subscription that Stripe has ended already counts as ended", async () => {
    const app = await platform.givenApp({ trialDays: 1 });
    const { subscription } = await platform.install(app, platform.world.north, { pays: false });
    await platform.pass({ days: 1 });
    await platform.settle();
    platform.stripe.books.cancelSubscription(subscription);
    platform.stripe.books.unsent.length = 0;
    await uninstall(app);
    await platform.world.service.worker.runOnce();
    const [call] = await platform.world.service.database.rows<{ failed_at: number | null; done_at: number | null }>(
      "select failed_at, done_at from stripe_calls where kind = 'end' and subject = ?",
      [subscription],
    );
    expect(call).toEqual({ failed_at: null, done_at: platform.clock.now().getTime() });
  });

  test("of two locations that are allowed at once, one gets the trial", async () => {
    const { world, olga, stripe } = platform;
    for (let round = 0; round < 10; round++) {
      const app = await platform.givenApp({ trialDays: 14 });
      const pages = await Promise.all([world.north, world.south].map(async () => olga.get(authorizePath(app))));
      const allowed = await Promise.all(
        [world.north, world.south].map((location, index) =>
          olga.submit(pages[index]!, { location_id: String(location), answer: "allow" }),
        ),
      );
      const trials = allowed.map((page) => stripe.books.session(platform.sessionOf(page)).terms.trialDays);
      expect(
        trials.toSorted((a, b) => a - b),
        `round ${round}`,
      ).toEqual([0, 14]);
    }
  });

  test("a workspace has one trial of an app: not by a reinstall, nor at another location", async () => {
    const app = await platform.givenApp({ trialDays: 14 });
    const { north, south } = platform.world;
    const trialOf = (session: string) => platform.stripe.books.session(session).terms.trialDays;
    const left = platform.sessionOf(await platform.allow(app, north));
    // While the first checkout is open, the other location pays from the first day.
    expect([trialOf(left), trialOf(platform.sessionOf(await platform.allow(app, south)))]).toEqual([14, 0]);
    await platform.install(app, north);
    await platform.settle();
    await uninstall(app);
    await platform.settle();
    await platform.pass({ days: 15 });
    await platform.settle();
    expect(trialOf(platform.sessionOf(await platform.allow(app, north)))).toBe(0);
    expect(trialOf(platform.sessionOf(await platform.allow(app, south)))).toBe(0);
    const page = await platform.olga.get(authorizePath(app));
    expect(page.text).toContain("The free days are granted once per workspace.");
  });
});
