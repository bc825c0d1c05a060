/** Voids a subscription whose install cannot be finished, or is not finished in time: ends it and refunds its charges. */
import { randomUUID } from "node:crypto";
import { forUpdate } from "../../../storage/locks.ts";
import type { Writer } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import { watchSubscriptions } from "../subscription-news.ts";
import { intendOnce, intendRefund } from "./calls/stripe-call.service.ts";
import type { StripeCallKind } from "../../../vocabulary/states.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { addTakenCents } from "./ledger/stored-charge.ts";
import { isVoided, voidKey } from "./voided.ts";

const isVoidable = `s.canceled_at is null and s.stripe_status in ('trialing', 'active', 'past_due')`;
const ofPlaceText = sql`select s.id, s.app_id, s.workspace_id, s.location_id, s.stripe_id
  from app_subscriptions s join locations l on l.workspace_id = s.workspace_id
  where l.id = ? and s.app_id = ? and (s.location_id = l.id or s.location_id is null) and ${isVoidable}${forUpdate("s")}`;
const byStripeIdText = sql`select s.id, s.app_id, s.workspace_id, s.location_id, s.stripe_id
  from app_subscriptions s where s.stripe_id = ? and ${isVoidable}${forUpdate("s")}`;
// A statement of its own, after the lock: an install holds the same lock until its commit.
const installText = `select i.id from app_installs i join locations l on l.id = i.location_id
  where i.app_id = ? and i.uninstalled_at is null and l.workspace_id = ? and l.id = coalesce(?, l.id) limit 1`;
const cancelText = "update app_subscriptions set canceled_at = ? where id = ?";
const chargesText = sql`select c.id, c.stripe_id, c.amount_cents, c.taken_cents, c.app_subscription_id from platform_charges c
  where c.app_subscription_id = ? and c.taken_cents < c.amount_cents
    and c.charged_at >= (select k.created_at from platform_checkouts k where k.subscription_id = ?) order by c.id${forUpdate("c")}`;

interface VoidedCharge {
  readonly id: number;
  readonly stripe_id: string;
  readonly amount_cents: number;
  readonly taken_cents: number;
  readonly app_subscription_id: number;
}

interface VoidableSubscription {
  readonly id: number;
  readonly app_id: number;
  readonly workspace_id: number;
  readonly location_id: number | null;
  readonly stripe_id: string;
}

/** Voids the subscription of a location, or of its company, unless another install depends on it. */
export async function voidSubscription(
  change: Writer,
  { appId, locationId }: { readonly appId: number; readonly locationId: number },
  now: Date,
): Promise<void> {
  const [held] = await change.rows<VoidableSubscription>(ofPlaceText, [locationId, appId]);
  if (held !== undefined) await voidUninstalled(change, held, now);
}

/** Voids a subscription by Stripe's id, unless an install depends on it. */
export async function voidIfUninstalled(change: Writer, stripeId: string, now: Date): Promise<void> {
  const [held] = await change.rows<VoidableSubscription>(byStripeIdText, [stripeId]);
  if (held !== undefined) await voidUninstalled(change, held, now);
}

async function voidUninstalled(change: Writer, held: VoidableSubscription, now: Date): Promise<void> {
  const { id: subscription, app_id, workspace_id, location_id, stripe_id: subject } = held;
  if ((await change.rows(installText, [app_id, workspace_id, location_id])).length > 0) return;
  const payer = { appId: app_id, workspaceId: workspace_id, locationId: location_id };
  const tellChanges = await watchSubscriptions(change, payer);
  change.send(cancelText, [now, subscription]);
  for (const charge of await change.rows<VoidedCharge>(chargesText, [subscription, subject]))
    refundAll(change, charge, now);
  intendOnce(change, { kind: "end", key: voidKey(subject), subscription, subject, now });
  await tellChanges(now);
}

interface StripeSubscription {
  /** The id of the subscription here, and at Stripe. */
  readonly subscription: number;
  readonly subject: string;
}

/** Voids a subscription beside an active one of the same payer. None of its charges is recorded yet: each is refunded when it is. */
export function voidDuplicate(change: Writer, { subscription, subject }: StripeSubscription, now: Date): void {
  intendOnce(change, { kind: "end", key: voidKey(subject), subscription, subject, now });
}

/** Schedules the voiding of a paid subscription, unless its install is finished within `pendingInstallSeconds`. */
export function voidUnlessInstalled(change: Writer, { subscription, subject }: StripeSubscription, now: Date): void {
  const dueAt = new Date(now.getTime() + limits.billing.pendingInstallSeconds * 1000);
  intendOnce(change, { kind: "void", key: `unless-installed-${subject}`, subscription, subject, now, dueAt });
}

const endingText = `select kind from stripe_calls where app_subscription_id = ? and subject = ? and kind in ('cancel', 'resume', 'end')
  and intended_at < ? order by id desc limit 1`;

/**
 * Refunds a charge that is recorded after its subscription was voided, or that Stripe made between the uninstall and the end of the
 * subscription there. The charge must be locked.
 */
export async function refundIfUnwanted(
  change: Writer,
  charge: VoidedCharge,
  { subject, chargedAt }: { readonly subject: string; readonly chargedAt: Date },
  now: Date,
): Promise<void> {
  if (await isVoided(change, subject)) return refundAll(change, charge, now);
  const values = [charge.app_subscription_id, subject, chargedAt];
  const [ending] = await change.rows<{ kind: StripeCallKind }>(endingText, values);
  if (ending !== undefined && ending.kind !== "resume") refundAll(change, charge, now, "The app was uninstalled");
}

function refundAll(
  change: Writer,
  charge: VoidedCharge,
  now: Date,
  reason = "The install could not be finished",
): void {
  const amountCents = charge.amount_cents - charge.taken_cents;
  if (amountCents === 0) return;
  addTakenCents(change, charge, amountCents);
  intendRefund(change, {
    key: `refund-${randomUUID()}`,
    subscription: charge.app_subscription_id,
    subject: charge.stripe_id,
    charge: charge.id,
    amountCents,
    reason,
    now,
  });
}
