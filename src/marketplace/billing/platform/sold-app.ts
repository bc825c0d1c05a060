/** An app whose customers pay through Stripe, or are about to: it keeps platform billing, or they would pay for an app without a price. */
import type { Rows } from "../../../storage/rows.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";

const soldText = `select s.id from app_subscriptions s where s.app_id = ? and (
    (s.stripe_status in ('trialing', 'active', 'past_due') and s.canceled_at is null)
    or exists (select 1 from platform_checkouts k
      where k.app_subscription_id = s.id and k.status in ('intended', 'open') and k.created_at > ?)) limit 1`;

/** Refuses `billing_locked` while a subscription is alive or a checkout is open. The app must be locked. */
export async function requireUnsold(rows: Rows, appId: number, now: Date): Promise<void> {
  const since = new Date(now.getTime() - limits.billing.pendingInstallSeconds * 1000);
  if ((await rows.rows(soldText, [appId, since])).length === 0) return;
  throw new Refusal("billing_locked", {
    message: "The app has a living subscription or an open checkout. Uninstall it first; a checkout ends within a day.",
  });
}
