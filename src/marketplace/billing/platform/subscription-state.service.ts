/** Copies the state of a subscription at Stripe to the subscription here and to its installs. An older read does not overwrite a newer one. */
import { sql } from "../../../storage/sql-text.ts";
import { forUpdate } from "../../../storage/locks.ts";
import type { Writer } from "../../../storage/rows.ts";
import { callStripe } from "../../../outbound/stripe.ts";
import type { SubscriptionStatus } from "../../../vocabulary/states.ts";
import { watchSubscriptions } from "../subscription-news.ts";
import { intendOnce } from "./calls/stripe-call.service.ts";
import type { PlatformDeps } from "./platform-deps.ts";
import { isLiving, toSubscriptionFacts } from "./stripe-objects.ts";
import type { SubscriptionFacts } from "./stripe-objects.ts";
import { voidDuplicate, voidUnlessInstalled } from "./void.service.ts";

/** Reads a subscription from Stripe and stores its state. False if it belongs to another service. */
export async function refreshSubscription(deps: PlatformDeps, stripeId: string): Promise<boolean> {
  const readAt = deps.clock.now();
  const found = await callStripe(deps.stripe, (stripe) => stripe.subscriptions.retrieve(stripeId));
  return writeSubscription(deps, toSubscriptionFacts(found), readAt);
}

interface StoredSubscription {
  readonly id: number;
  readonly app_id: number;
  readonly workspace_id: number;
  readonly location_id: number | null;
  readonly stripe_id: string | null;
  readonly stripe_status: SubscriptionStatus | null;
  readonly past_due_since: number | null;
  readonly read_at: number | null;
  readonly canceled_at: number | null;
}

const columns =
  "s.id, s.app_id, s.workspace_id, s.location_id, s.stripe_id, s.stripe_status, s.past_due_since, s.read_at, s.canceled_at";
const lockText = sql`select ${columns} from app_subscriptions s
  where s.id in (select app_subscription_id from platform_checkouts where key = ? or subscription_id = ?)${forUpdate("s")}`;
const beganText = `update platform_checkouts set status = 'complete', subscription_id = ?
  where key = ? and subscription_id is null returning id`;
const stateText = `update app_subscriptions set stripe_id = ?, customer_id = ?, stripe_status = ?, price_cents = ?, period_ends_at = ?,
  past_due_since = ?, read_at = ? where id = ?`;
const restartText = "update app_subscriptions set canceled_at = null where id = ?";

/** Stores the state of a subscription that was read at `readAt`. Only the newest subscription of a payer to an app stays alive. */
export function writeSubscription(deps: PlatformDeps, facts: SubscriptionFacts, readAt: Date): Promise<boolean> {
  const now = deps.clock.now();
  return deps.database.transaction(async (change) => {
    const [held] = await change.rows<StoredSubscription>(lockText, [facts.checkoutKey, facts.id]);
    if (held === undefined) return false;
    const isOther = held.stripe_id !== null && held.stripe_id !== facts.id;
    const isFirstSeen =
      facts.checkoutKey !== null && (await change.rows(beganText, [facts.id, facts.checkoutKey])).length > 0;
    if (isFirstSeen) voidUnlessInstalled(change, { subscription: held.id, subject: facts.id }, now);
    if (isOther && !(await replaceOther(deps, change, { held, facts, isFirstSeen }))) return true;
    if (!isOther && held.read_at !== null && held.read_at > readAt.getTime()) return true;
    const { app_id: appId, workspace_id: workspaceId, location_id: locationId } = held;
    const tellChanges = await watchSubscriptions(change, { appId, workspaceId, locationId });
    const isPastDue = facts.status === "past_due";
    const pastDueSince = isPastDue ? new Date((isOther ? null : held.past_due_since) ?? now.getTime()) : null;
    const { id, customerId, status, priceCents, periodEndsAt } = facts;
    change.send(stateText, [id, customerId, status, priceCents, periodEndsAt, pastDueSince, readAt, held.id]);
    // An earlier cancellation ended what came before this subscription.
    if (isOther || held.stripe_id === null) change.send(restartText, [held.id]);
    if (isPastDue && facts.latestInvoiceId !== null) {
      const key = `notice-${facts.latestInvoiceId}`;
      intendOnce(change, { kind: "notice", key, subscription: held.id, subject: facts.latestInvoiceId, now });
    }
    markInstalls(change, held, paymentDueAt({ status, pastDueSince }, deps.graceDays, now));
    await tellChanges(now);
    return true;
  });
}

const isNewerText = `select 1 from platform_checkouts k
  where k.subscription_id = ? and k.id > (select o.id from platform_checkouts o where o.subscription_id = ?)`;

interface Replacement {
  readonly held: StoredSubscription;
  readonly facts: SubscriptionFacts;
  readonly isFirstSeen: boolean;
}

/**
 * Decides between two subscriptions of a payer to an app, and ends the other one. True if `facts` replaces the stored one: it is newer, and the
 * stored one has ended or was canceled here. One that appears beside an active one is a second payment, which is refunded.
 */
async function replaceOther(
  { log, clock }: PlatformDeps,
  change: Writer,
  { held, facts, isFirstSeen }: Replacement,
): Promise<boolean> {
  if (!isLiving(facts.status)) return false;
  const { id: subscription } = held;
  const stored = held.stripe_id!;
  const end = (subject: string) =>
    intendOnce(change, { kind: "end", key: `end-${subject}`, subscription, subject, now: clock.now() });
  const isNewer = (await change.rows(isNewerText, [facts.id, stored])).length > 0;
  if (isNewer && (held.canceled_at !== null || !isLiving(held.stripe_status))) {
    if (isLiving(held.stripe_status)) end(stored);
    return true;
  }
  log.error("a second subscription of one customer to one app is ended", { subscription: facts.id });
  if (isFirstSeen) voidDuplicate(change, { subscription, subject: facts.id }, clock.now());
  else end(facts.id);
  return false;
}

/** The time from which the app's requests get 402; null while the subscription is paid. */
export function paymentDueAt(
  { status, pastDueSince }: { readonly status: SubscriptionStatus; readonly pastDueSince: Date | null },
  graceDays: number,
  now: Date,
): Date | null {
  if (status === "trialing" || status === "active") return null;
  if (pastDueSince === null) return now;
  return new Date(pastDueSince.getTime() + graceDays * 86_400_000);
}

const markLocationText = `update app_installs set payment_due_at = ? where app_id = ? and location_id = ? and uninstalled_at is null`;
const markCompanyText = `update app_installs set payment_due_at = ? where app_id = ? and uninstalled_at is null
  and location_id in (select id from locations where workspace_id = ?)`;

/** Denormalizes the due time to the payer's installs, so that no request looks up a subscription. */
export function markInstalls(
  change: Writer,
  payer: Pick<StoredSubscription, "app_id" | "workspace_id" | "location_id">,
  dueAt: Date | null,
): void {
  if (payer.location_id === null) change.send(markCompanyText, [dueAt, payer.app_id, payer.workspace_id]);
  else change.send(markLocationText, [dueAt, payer.app_id, payer.location_id]);
}
