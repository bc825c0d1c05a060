/** Records what a page of one of Stripe's lists holds and this database does not. */
import type { Stripe } from "stripe";
import { placeholders } from "../../../../storage/rows.ts";
import type { LedgerKind } from "../../../../vocabulary/states.ts";
import { storeEvent, toStorable } from "../events/stripe-event.service.ts";
import { recordRefund, writeCharge } from "../ledger/charge.service.ts";
import { writeDispute } from "../ledger/dispute.service.ts";
import { hasFailed } from "../ledger/refund-entries.ts";
import { ReversalDeferred } from "../ledger/reversal-plan.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { toSubscriptionFacts } from "../stripe-objects.ts";
import { writeSubscription } from "../subscription-state.service.ts";

export async function storeEvents(
  { database, clock, stripe }: PlatformDeps,
  events: readonly Stripe.Event[],
): Promise<void> {
  await database.transaction(async (change) => {
    for (const event of events.toReversed()) {
      const stored = toStorable(event, stripe);
      if (typeof stored !== "string") storeEvent(change, stored, clock.now());
    }
  });
}

interface ReadSubscriptionRow {
  readonly stripe_id: string;
  readonly stripe_status: string;
  readonly price_cents: number | null;
  readonly period_ends_at: number | null;
}

/** Writes only the subscriptions whose state differs here, as of `readAt`. */
export async function writeSubscriptions(
  deps: PlatformDeps,
  page: readonly Stripe.Subscription[],
  readAt: Date,
): Promise<void> {
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

const refundedText = `select c.stripe_id, c.amount_cents, coalesce((select sum(case e.kind when 'refund' then e.amount_cents else -e.amount_cents end) from ledger_entries e
    where e.charge_id = c.id and e.kind in ('refund', 'refund_failed')), 0) as refunded
  from platform_charges c where c.stripe_id`;

/** Records missing charges and refunds; resolves to the ids of their charges. */
export async function writeCharges(deps: PlatformDeps, page: readonly Stripe.Charge[]): Promise<string[]> {
  const rows = await deps.database.rowsOnce<{ stripe_id: string; refunded: number | string }>(
    `${refundedText} in (${placeholders(page.length)})`,
    page.map(({ id }) => id),
  );
  const refunded = new Map(rows.map((row) => [row.stripe_id, Number(row.refunded)]));
  const missing = page.filter(({ id, amount_refunded }) => refunded.get(id) !== amount_refunded);
  for (const charge of missing) await orLater(deps, charge.id, () => writeCharge(deps, charge));
  const ids = missing.map(({ id }) => id);
  const recorded = await findRecorded(deps, "charge", ids);
  return ids.filter((id) => recorded.has(id));
}

/** Records missing refunds, and missing failures of refunds, also of charges that are older than the compared ones; resolves to their ids. */
export async function writeMissingRefunds(deps: PlatformDeps, page: readonly Stripe.Refund[]): Promise<string[]> {
  const ids = page.map(({ id }) => id);
  const known = await findRecorded(deps, "refund", ids);
  const failed = await findRecorded(deps, "refund_failed", ids);
  const missing = page.filter((refund) => !(hasFailed(refund) ? failed : known).has(refund.id));
  for (const refund of missing) await orLater(deps, refund.id, () => recordRefund(deps, refund));
  const recorded = missing.length === 0 ? known : await findRecorded(deps, "refund", ids);
  return missing.map(({ id }) => id).filter((id) => recorded.has(id));
}

const entriesText = "select stripe_id from ledger_entries where kind = ? and stripe_id";

/** The ids of those objects that have an entry of this kind. */
export async function findRecorded(
  { database }: PlatformDeps,
  kind: LedgerKind,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const text = `${entriesText} in (${placeholders(ids.length)})`;
  const rows = await database.rowsOnce<{ stripe_id: string }>(text, [kind, ...ids]);
  return new Set(rows.map(({ stripe_id }) => stripe_id));
}

/** A movement that has to wait for another one of its charge does not hold up the reconciliation of others. */
async function orLater({ log }: PlatformDeps, id: string, record: () => Promise<boolean>): Promise<void> {
  try {
    await record();
  } catch (error) {
    if (!(error instanceof ReversalDeferred)) throw error;
    log.warn("an object at Stripe cannot be recorded yet", { id, error });
  }
}

export async function writeDisputes(deps: PlatformDeps, page: readonly Stripe.Dispute[]): Promise<string[]> {
  const ids = page.map(({ id }) => id);
  const taken = await findRecorded(deps, "dispute", ids);
  const won = await findRecorded(deps, "dispute_won", ids);
  const missing = page.filter(({ id, status }) => !taken.has(id) || (status === "won" && !won.has(id)));
  for (const dispute of missing) await orLater(deps, dispute.id, () => writeDispute(deps, dispute));
  const after = missing.length === 0 ? taken : await findRecorded(deps, "dispute", ids);
  return missing.map(({ id }) => id).filter((id) => after.has(id));
}
