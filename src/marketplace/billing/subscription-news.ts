/** Tells an app's own webhook when the status of a subscription to it has changed (`app.subscription_changed`). */
import type { Writer } from "../../storage/rows.ts";
import type { SubscriptionStatus } from "../../vocabulary/states.ts";
import { findAppHook, tellApp } from "../../webhooks/deliveries/tell-app.ts";
import { lockSubscriptions } from "./subscription.service.ts";
import { statusOf } from "./subscription.view.ts";
import type { SubscriptionState } from "./subscription.view.ts";

interface AppPayer {
  readonly appId: number;
  readonly workspaceId: number;
  /** Null for the subscription of the company alone. */
  readonly locationId: number | null;
}

interface WatchedSubscription extends SubscriptionState {
  readonly id: number;
  readonly app_name: string;
  readonly client_id: string;
  readonly location_id: number | null;
  readonly amount_cents: number | null;
  readonly subscription_id: string | null;
}

const statesText = `select s.id, a.name as app_name, a.client_id, s.location_id, s.payment_status, s.canceled_at, s.stripe_status,
    coalesce(s.price_cents, s.amount_cents) as amount_cents, coalesce(s.stripe_id, s.subscription_id) as subscription_id
  from app_subscriptions s join apps a on a.id = s.app_id
  where s.app_id = ? and s.workspace_id = ? and (s.location_id = ? or s.location_id is null) order by s.id`;

/**
 * Locks the subscriptions of a location and of its company to the app, and notes their status. Call the result last in
 * the transaction: it tells the app's webhook of each status that differs by then. Without such a webhook it does nothing.
 */
export async function watchSubscriptions(change: Writer, payer: AppPayer): Promise<(now: Date) => Promise<void>> {
  const { appId, workspaceId, locationId } = payer;
  const hook = await findAppHook(change, appId);
  if (hook === undefined) return async () => {};
  await lockSubscriptions(change, payer);
  const read = () => change.rows<WatchedSubscription>(statesText, [appId, workspaceId, locationId]);
  const before = new Map((await read()).map((row) => [row.id, statusOf(row)]));
  return async (now) => {
    for (const row of await read()) {
      const old: SubscriptionStatus = before.get(row.id) ?? "incomplete";
      const status = statusOf(row);
      if (status === old) continue;
      const data = {
        app: { name: row.app_name, client_id: row.client_id },
        workspace_id: workspaceId,
        location_id: row.location_id,
        status,
        amount_cents: row.amount_cents,
        subscription_id: row.subscription_id,
        changes: [{ field: "status", old, new: status }],
      };
      await tellApp(change, hook, { event: "app.subscription_changed", data, now });
    }
  };
}
