/** Begins subscriptions where a payment is asked for, and cancels them where an app is taken out. */
import type { Writer } from "../../storage/rows.ts";
import { untilCommit } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import type { Payer } from "./payer.ts";

const openText = `insert into app_subscriptions (app_id, workspace_id, location_id, created_at) values (?, ?, ?, ?)
  on conflict do nothing`;
const isPaidText = sql`select payment_status = 'COMPLETED' and canceled_at is null as is_paid from app_subscriptions
  where app_id = ? and workspace_id = ? and location_id is not distinct from ?${untilCommit("app_subscriptions")}`;

/** Whether the payer's subscription to the app is active, as it stays until the commit; where there is none, one begins that is incomplete. */
export async function openSubscription(
  change: Writer,
  appId: number,
  { workspaceId, locationId }: Payer,
  now: Date,
): Promise<boolean> {
  change.send(openText, [appId, workspaceId, locationId, now]);
  const [row] = await change.rows<{ is_paid: boolean | number | null }>(isPaidText, [appId, workspaceId, locationId]);
  return Boolean(row?.is_paid);
}

/** An app in a location of a workspace. */
interface AppLocation {
  readonly appId: number;
  readonly workspaceId: number;
  readonly locationId: number;
}

const lockText = sql`select id from app_subscriptions
  where app_id = ? and workspace_id = ? and (location_id = ? or location_id is null) order by id${untilCommit("app_subscriptions")}`;

/**
 * Keeps what this location and its company have for the app as it is until the commit. Before an install ends: of two that
 * end at once, the one that comes second must see that no other is left.
 */
export async function lockSubscriptions(
  change: Writer,
  { appId, workspaceId, locationId }: AppLocation,
): Promise<void> {
  await change.rows(lockText, [appId, workspaceId, locationId]);
}

const cancelText = `update app_subscriptions set canceled_at = ?
  where app_id = ? and location_id = ? and canceled_at is null`;
const cancelOfCompanyText = `update app_subscriptions set canceled_at = ?
  where app_id = ? and workspace_id = ? and location_id is null and canceled_at is null
    and not exists (select 1 from locations l join app_installs i on i.location_id = l.id
      where l.workspace_id = ? and i.app_id = ? and i.uninstalled_at is null)`;

/** The location has the app no more: its subscription is canceled, and that of its company where no other location has the app. Held before. */
export function cancelSubscriptions(change: Writer, { appId, workspaceId, locationId }: AppLocation, now: Date): void {
  change.send(cancelText, [now, appId, locationId]);
  change.send(cancelOfCompanyText, [now, appId, workspaceId, workspaceId, appId]);
}
