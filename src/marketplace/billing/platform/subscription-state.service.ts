/** Copies the state of a subscription at Stripe to the subscription here and to its installs. An older read does not overwrite a newer one. */
import { sql } from "../../../storage/sql-text.ts";
import { untilCommit } from "../../../storage/locks.ts";
import type { Writer } from "../../../storage/rows.ts";
import { callStripe } from "../../../outbound/stripe.ts";
import type { SubscriptionStatus } from "../../../vocabulary/states.ts";
import { intendOnce } from "./calls/stripe-call.service.ts";
import type { PlatformDeps } from "./platform-deps.ts";
import { isLiving, toSubscriptionFacts } from "./stripe-objects.ts";
import type { SubscriptionFacts } from "./stripe-objects.ts";

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
}

const columns =
  "s.id, s.app_id, s.workspace_id, s.location_id, s.stripe_id, s.stripe_status, s.past_due_since, s.read_at";
const lockText = sql`select ${columns} from app_subscriptions s
  where s.id in (select app_subscription_id from platform_checkouts where key = ? or subscription_id = ?)${untilCommit("s")}`;
const beganText = `update platform_checkouts set status = 'complete', subscription_id = ? where key = ? and subscription_id is null`;
const stateText = `update app_subscriptions set stripe_id = ?, customer_id = ?, stripe_status = ?, price_cents = ?, period_ends_at = ?,
  past_due_since = ?, read_at = ? where id = ?`;
const restartText = "update app_subscriptions set canceled_at = null where id = ?";

/** Stores the state of a subscription that was read at `readAt`. A second living subscription of the same payer is ended. */
export function writeSubscription(deps: PlatformDeps, facts: SubscriptionFacts, readAt: Date): Promise<boolean> {
  const now = deps.clock.now();
  return deps.database.transaction(async (change) => {
    const [held] = await change.rows<StoredSubscription>(lockText, [facts.checkoutKey, facts.id]);
    if (held === undefined) return false;
    if (facts.checkoutKey !== null) change.send(beganText, [facts.id, facts.checkoutKey]);
    const isOther = held.stripe_id !== null && held.stripe_id !== facts.id;
    if (isOther && (!isLiving(facts.status) || isLiving(held.stripe_status))) {
      if (isLiving(facts.status)) {
        deps.log.error("a second subscription of one customer to one app is ended", { subscription: facts.id });
        intendOnce(change, { kind: "end", key: `end-${facts.id}`, subscription: held.id, subject: facts.id, now });
      }
      return true;
    }
    if (!isOther && held.read_at !== null && held.read_at > readAt.getTime()) return true;
    const isPastDue = facts.status === "past_due";
    const pastDueSince = isPastDue ? new Date(held.past_due_since ?? now.getTime()) : null;
    const { id, customerId, status, priceCents, periodEndsAt } = facts;
    change.send(stateText, [id, customerId, status, priceCents, periodEndsAt, pastDueSince, readAt, held.id]);
    if (isOther) change.send(restartText, [held.id]);
    if (isPastDue && facts.latestInvoiceId !== null) {
      const key = `notice-${facts.latestInvoiceId}`;
      intendOnce(change, { kind: "notice", key, subscription: held.id, subject: facts.latestInvoiceId, now });
    }
    markInstalls(change, held, paymentDueAt({ status, pastDueSince }, deps.graceDays, now));
    return true;
  });
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
