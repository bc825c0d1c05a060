/** Applies an app's price to its existing subscriptions: one call to Stripe each, which first notifies the payer and is due 30 days later. */
import { randomUUID } from "node:crypto";
import type { Change } from "../../../../events/caller.ts";
import { forUpdate } from "../../../../storage/locks.ts";
import { timeParameter } from "../../../../storage/rows.ts";
import { sql } from "../../../../storage/sql-text.ts";
import { Refusal } from "../../../../vocabulary/errors.ts";
import { isOpenPrice } from "./open-price.ts";

/** Serializes price changes of an app. */
const lockText = sql`select price_cents from apps where id = ? and workspace_id = ?${forUpdate("apps")}`;

/** A subscription whose payer was notified of another price gets a call even if the price returns to the current one: it mails the withdrawal. */
const intendText = sql`insert into stripe_calls (kind, key, app_subscription_id, subject, amount_cents, intended_at, due_at)
  select 'price', cast(? as text) || s.id, s.id, s.stripe_id, cast(? as integer), ${timeParameter}, ${timeParameter} from app_subscriptions s
  where s.app_id = ? and s.stripe_status in ('trialing', 'active', 'past_due') and s.canceled_at is null
    and not exists (select 1 from stripe_calls k where k.app_subscription_id = s.id and ${isOpenPrice("k")} and k.amount_cents = ?)
    and (s.price_cents is distinct from ? or exists (
      select 1 from stripe_calls k where k.app_subscription_id = s.id and ${isOpenPrice("k")} and k.notified_at is not null))
  order by s.id returning id`;

const replaceText = `update stripe_calls set failed_at = ?, error = 'A later price replaced it.'
  where ${isOpenPrice("stripe_calls")} and amount_cents <> ? and app_subscription_id in (select id from app_subscriptions where app_id = ?)`;

export interface PriceChange {
  /** Null: the app has no platform billing. */
  readonly price_cents: number | null;
  /** How many subscriptions will change. */
  readonly subscriptions: number;
}

/** Idempotent: a subscription that has the price, or is about to get it, is unchanged. Refuses `app.not_found`, `platform_billing_unavailable`. */
export async function changeExistingPrices(change: Change, appId: number): Promise<PriceChange> {
  const { now, tools, workspaceId } = change;
  const [app] = await change.rows<{ price_cents: number | null }>(lockText, [appId, workspaceId]);
  if (app === undefined) throw new Refusal("app.not_found");
  const { price_cents: price } = app;
  if (price === null) return { price_cents: null, subscriptions: 0 };
  if (tools.platformBilling === null) throw new Refusal("platform_billing_unavailable");
  const key = `price-${randomUUID()}-`;
  const intended = await change.rows(intendText, [key, price, now, now, appId, price, price]);
  change.send(replaceText, [now, price, appId]);
  return { price_cents: price, subscriptions: intended.length };
}
