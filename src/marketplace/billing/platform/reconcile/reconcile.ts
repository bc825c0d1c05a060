/**
 * Reconciles this database with Stripe, page by page in bounded memory, to recover lost webhooks: recent events, then subscriptions, charges with
 * their refunds, and disputes. Reports the differences.
 */
import type { Stripe } from "stripe";
import { callStripe } from "../../../../outbound/stripe.ts";
import { placeholders } from "../../../../storage/rows.ts";
import { handledTypes, storeEvent, toStorable } from "../events/stripe-event.service.ts";
import { writeCharge } from "../ledger/charge.service.ts";
import { writeDispute } from "../ledger/dispute.service.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { toSubscriptionFacts } from "../stripe-objects.ts";
import { writeSubscription } from "../subscription-state.service.ts";
import { watchUnlisted } from "./unlisted-charges.ts";

/** The compared period of events and of movements, in days; Stripe keeps events for 30. */
const eventDays = 3;
const movementDays = 120;
/** Objects per page of a list. */
const limit = 100;
const day = 86_400;

export interface ReconcileReport {
  /** The numbers of objects read from Stripe. */
  readonly events: number;
  readonly subscriptions: number;
  readonly charges: number;
  readonly disputes: number;
  /** Stripe's ids of objects that were missing here and are now recorded. */
  readonly added: string[];
  /** Stripe's ids of charges that are recorded here and do not exist at Stripe. */
  readonly unknown: string[];
}

export async function reconcile(deps: PlatformDeps, signal?: AbortSignal): Promise<ReconcileReport> {
  const now = Math.floor(deps.clock.now().getTime() / 1000);
  const added: string[] = [];
  const since = { gte: now - movementDays * day };
  const events = await eachPage(
    deps,
    signal,
    (stripe, after) =>
      stripe.events.list({ created: { gte: now - eventDays * day }, types: [...handledTypes], limit, ...after }),
    (page) => storeEvents(deps, page),
  );
  const subscriptions = await eachPage(
    deps,
    signal,
    (stripe, after) => stripe.subscriptions.list({ status: "all", limit, ...after }),
    (page) => writeSubscriptions(deps, page),
  );
  const unlisted = watchUnlisted(deps, since.gte);
  const charges = await eachPage(
    deps,
    signal,
    (stripe, after) => stripe.charges.list({ created: since, limit, expand: ["data.transfer"], ...after }),
    async (page) => {
      added.push(...(await writeCharges(deps, page)));
      await unlisted.next(page);
    },
  );
  const unknown = await unlisted.finish();
  const disputes = await eachPage(
    deps,
    signal,
    (stripe, after) => stripe.disputes.list({ created: since, limit, ...after }),
    async (page) => void added.push(...(await writeDisputes(deps, page))),
  );
  return { events, subscriptions, charges, disputes, added, unknown };
}

type After = { readonly starting_after?: string };

/** Reads a list from Stripe page by page; resolves to the number of objects. */
async function eachPage<Item extends { readonly id: string }>(
  { stripe }: PlatformDeps,
  signal: AbortSignal | undefined,
  list: (client: Stripe, after: After) => Promise<{ data: Item[]; has_more: boolean }>,
  use: (page: Item[]) => Promise<void>,
): Promise<number> {
  let count = 0;
  let after: After = {};
  for (;;) {
    signal?.throwIfAborted();
    const { data, has_more } = await callStripe(stripe, (client) => list(client, after));
    count += data.length;
    if (data.length > 0) await use(data);
    if (!has_more) return count;
    after = { starting_after: data.at(-1)!.id };
  }
}

async function storeEvents({ database, clock, stripe }: PlatformDeps, events: readonly Stripe.Event[]): Promise<void> {
  await database.transaction(async (change) => {
    for (const event of events.toReversed()) {
      const stored = toStorable(event, stripe);
      if (typeof stored !== "string") storeEvent(change, stored, clock.now());
    }
  });
}

interface KnownRow {
  readonly stripe_id: string;
}

async function findKnown({ database }: PlatformDeps, text: string, ids: readonly string[], more: string[] = []) {
  const rows = await database.rowsOnce<KnownRow>(`${text} in (${placeholders(ids.length)})`, [...more, ...ids]);
  return new Set(rows.map(({ stripe_id }) => stripe_id));
}

interface ReadSubscriptionRow {
  readonly stripe_id: string;
  readonly stripe_status: string;
  readonly price_cents: number | null;
  readonly period_ends_at: number | null;
}

/** Writes only the subscriptions whose state differs here. */
async function writeSubscriptions(deps: PlatformDeps, page: readonly Stripe.Subscription[]): Promise<void> {
  const readAt = deps.clock.now();
  const text = `select stripe_id, stripe_status, price_cents, period_ends_at from app_subscriptions where stripe_id in (${placeholders(page.length)})`;
  const rows = await deps.database.rowsOnce<ReadSubscriptionRow>(
    text,
    page.map(({ id }) => id),
  );
  const known = new Map(rows.map((row) => [row.stripe_id, row]));
  for (const facts of page.map(toSubscriptionFacts)) {
    const row = known.get(facts.id);
    const isSame =
      row?.stripe_status === facts.status &&
      row.price_cents === facts.priceCents &&
      row.period_ends_at === (facts.periodEndsAt?.getTime() ?? null);
    if (!isSame && (row !== undefined || facts.status !== "canceled")) await writeSubscription(deps, facts, readAt);
  }
}

const chargesText = "select stripe_id from platform_charges where stripe_id";
const refundedText = `select c.stripe_id, c.amount_cents, coalesce((select sum(e.amount_cents) from ledger_entries e where e.charge_id = c.id and e.kind = 'refund'), 0) as refunded
  from platform_charges c where c.stripe_id`;

/** Records missing charges and refunds; resolves to the ids of their charges. */
async function writeCharges(deps: PlatformDeps, page: readonly Stripe.Charge[]): Promise<string[]> {
  const rows = await deps.database.rowsOnce<{ stripe_id: string; refunded: number | string }>(
    `${refundedText} in (${placeholders(page.length)})`,
    page.map(({ id }) => id),
  );
  const refunded = new Map(rows.map((row) => [row.stripe_id, Number(row.refunded)]));
  const missing = page.filter(({ id, amount_refunded }) => refunded.get(id) !== amount_refunded);
  for (const charge of missing) await writeCharge(deps, charge);
  const now =
    missing.length === 0
      ? new Set()
      : await findKnown(
          deps,
          chargesText,
          missing.map(({ id }) => id),
        );
  return missing.map(({ id }) => id).filter((id) => now.has(id));
}

const entriesText = "select stripe_id from ledger_entries where kind = ? and stripe_id";

async function writeDisputes(deps: PlatformDeps, page: readonly Stripe.Dispute[]): Promise<string[]> {
  const ids = page.map(({ id }) => id);
  const taken = await findKnown(deps, entriesText, ids, ["dispute"]);
  const won = await findKnown(deps, entriesText, ids, ["dispute_won"]);
  const missing = page.filter(({ id, status }) => !taken.has(id) || (status === "won" && !won.has(id)));
  for (const dispute of missing) await writeDispute(deps, dispute);
  const after = missing.length === 0 ? new Set() : await findKnown(deps, entriesText, ids, ["dispute"]);
  return missing.map(({ id }) => id).filter((id) => after.has(id));
}
