/** A service with a fake Stripe, apps with a price, and the steps from Allow to a paid install. */
import type { Stripe } from "stripe";
import { createApp, publishApp } from "../../src/marketplace/apps/app.service.ts";
import { listPayouts } from "../../src/marketplace/billing/platform/ledger/payouts.queries.ts";
import type { InstallType, LedgerKind } from "../../src/vocabulary/states.ts";
import type { DatabaseKind } from "./databases.ts";
import { ManualClock } from "./manual-clock.ts";
import { authorizePath, callback, givenOlga } from "./marketplace.ts";
import type { TestApp } from "./marketplace.ts";
import type { Page, Person } from "./person.ts";
import { startFakeStripe } from "./stripe/fake-stripe.ts";
import type { FakeStripe } from "./stripe/fake-stripe.ts";
import { createWorld } from "./world.ts";
import type { World } from "./world.ts";

export interface PaidApp extends TestApp {
  /** The owner's account at Stripe. */
  readonly account: string;
}

interface Offer {
  readonly priceCents?: number;
  readonly trialDays?: number;
  readonly installType?: InstallType;
  readonly isPublished?: boolean;
}

export interface PlatformWorld {
  readonly world: World;
  readonly clock: ManualClock;
  readonly stripe: FakeStripe;
  readonly olga: Person;
  /** An app whose owner is connected to Stripe. */
  givenApp(offer?: Offer): Promise<PaidApp>;
  /** Presses Allow. */
  allow(app: TestApp, locationId?: number, person?: Person): Promise<Page>;
  /** The id of the checkout session that a redirect leads to. */
  sessionOf(page: Page): string;
  /** The path to which Stripe redirects after the session. */
  returnPathOf(session: string): string;
  /** Allows, pays and returns; resolves to the redirect to the app, and the subscription at Stripe. */
  install(
    app: TestApp,
    locationId?: number,
    options?: { readonly pays?: boolean },
  ): Promise<{ page: Page; subscription: string }>;
  /** Delivers all pending events (or those given), and runs the worker. */
  settle(events?: readonly Stripe.Event[]): Promise<void>;
  /** Advances the clock, and processes what is due at Stripe. */
  pass(span: Parameters<ManualClock["advance"]>[0]): Promise<void>;
  /** The status of each subscription to the app, the oldest first. */
  statuses(app: TestApp): Promise<string[]>;
  /** The ledger of the service: `charge ch_1 2900`. */
  ledger(): Promise<string[]>;
  /** The movements at the fake Stripe in the same form. */
  books(): string[];
  payouts(): ReturnType<typeof listPayouts>;
  close(): Promise<void>;
}

export async function createPlatformWorld(
  kind: DatabaseKind,
  environment: Readonly<Record<string, string>> = {},
): Promise<PlatformWorld> {
  const clock = new ManualClock();
  const stripe = await startFakeStripe(clock);
  const world = await createWorld(kind, { clock, quiet: true, environment: { ...stripe.environment, ...environment } });
  const { service } = world;
  const olga = await givenOlga(world);

  const platform: PlatformWorld = {
    world,
    clock,
    stripe,
    olga,
    async givenApp({ priceCents = 2900, trialDays = 14, installType = "location", isPublished = true } = {}) {
      const caller = service.inWorkspace(world.acme);
      const { id: account } = stripe.books.createAccount();
      stripe.books.onboard(account);
      const app = await caller.change(async (change) => {
        const made = await createApp(change, {
          name: "Ledgerline",
          redirect_uris: [callback],
          scopes: ["contacts.readonly"],
          billing: "platform",
          install_type: installType,
          price_cents: priceCents,
          trial_days: trialDays,
        });
        await change.rows("update apps set account_id = ?, charges_enabled = ?, payouts_enabled = ? where id = ?", [
          account,
          true,
          true,
          made.id,
        ]);
        return made;
      });
      if (isPublished) await caller.change((change) => publishApp(change, app.id));
      return { ...app, redirectUri: callback, account };
    },
    async allow(app, locationId = world.north, person = olga) {
      const page = await person.get(authorizePath(app, { state: "s" }));
      return person.submit(page, { location_id: String(locationId), answer: "allow" });
    },
    sessionOf({ status, location, text }) {
      const session = /^http:\/\/127\.0\.0\.1:\d+\/pay\/(\w+)$/.exec(location)?.[1];
      if (session === undefined) throw new Error(`led to ${status} ${location}: ${text}`);
      return session;
    },
    returnPathOf(session) {
      return new URL(stripe.books.session(session).success_url!).pathname;
    },
    async install(app, locationId = world.north, { pays = true } = {}) {
      const session = platform.sessionOf(await platform.allow(app, locationId));
      const { id: subscription } = stripe.books.complete(session, { pays });
      return { page: await olga.get(platform.returnPathOf(session)), subscription };
    },
    async settle(events) {
      if (events === undefined) await stripe.deliverAll(world.url);
      else await stripe.deliver(world.url, events);
      await service.worker.runOnce();
    },
    async pass(span) {
      clock.advance(span);
      stripe.books.advance();
      // The person stays signed in.
      const until = new Date(clock.now().getTime() + 30 * 86_400_000);
      await service.database.transaction(({ rows }) => rows("update sessions set expires_at = ?", [until]));
    },
    async statuses(app) {
      const { listSubscriptions } = await import("../../src/marketplace/billing/subscription.queries.ts");
      const { data } = await listSubscriptions(service.inWorkspace(world.acme), {});
      return data.filter((one) => one.app.client_id === app.client_id).map(({ status }) => status);
    },
    async ledger() {
      const rows = await service.database.rows<{ kind: LedgerKind; stripe_id: string; amount_cents: number }>(
        "select kind, stripe_id, amount_cents from ledger_entries",
      );
      return rows.map(({ kind: one, stripe_id, amount_cents }) => `${one} ${stripe_id} ${amount_cents}`).toSorted();
    },
    books: () => stripe.books.movements.map((one) => `${one.kind} ${one.id} ${one.amount}`).toSorted(),
    payouts: () => listPayouts(service.inWorkspace(world.acme), {}),
    async close() {
      await world.close();
      await stripe.close();
    },
  };
  return platform;
}
