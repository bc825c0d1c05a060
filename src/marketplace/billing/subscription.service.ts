/** Begins subscriptions where a payment is asked for, and cancels them where an app is taken out. */
import { randomUUID } from "node:crypto";
import type { Writer } from "../../storage/rows.ts";
import type { SubscriptionStatus } from "../../vocabulary/states.ts";
import { isLiving } from "./platform/stripe-objects.ts";
import { intend } from "./platform/calls/stripe-call.service.ts";
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

const livingText = sql`select id, stripe_id, stripe_status, past_due_since, period_ends_at, canceled_at from app_subscriptions
  where app_id = ? and workspace_id = ? and location_id is not distinct from ?${untilCommit("app_subscriptions")}`;
const restartText = "update app_subscriptions set canceled_at = null where id = ?";

interface PlatformRow {
  readonly id: number;
  readonly stripe_id: string | null;
  readonly stripe_status: SubscriptionStatus | null;
  readonly past_due_since: number | null;
  readonly period_ends_at: number | null;
  readonly canceled_at: number | null;
}

/** How a payer stands with an app of platform billing. */
export interface PlatformSubscription {
  readonly id: number;
  /** Whether the app installs without another checkout. */
  readonly isLiving: boolean;
  readonly status: SubscriptionStatus | null;
  readonly pastDueSince: Date | null;
}

/**
 * The payer's subscription at Stripe, held until the commit; where there is none, one begins that is incomplete. One that an uninstall ended goes on
 * where its period is paid for.
 */
export async function lockPlatformSubscription(
  change: Writer,
  appId: number,
  { workspaceId, locationId }: Payer,
  now: Date,
): Promise<PlatformSubscription> {
  change.send(openText, [appId, workspaceId, locationId, now]);
  const [row] = await change.rows<PlatformRow>(livingText, [appId, workspaceId, locationId]);
  const { id, stripe_id, stripe_status: status, past_due_since, period_ends_at, canceled_at } = row!;
  const found = { id, status, pastDueSince: past_due_since === null ? null : new Date(past_due_since) };
  if (stripe_id === null || !isLiving(status)) return { ...found, isLiving: false };
  if (canceled_at === null) return { ...found, isLiving: true };
  const isPaid = status !== "past_due" && (period_ends_at ?? 0) > now.getTime();
  if (!isPaid) return { ...found, isLiving: false };
  change.send(restartText, [id]);
  intend(change, {
    kind: "resume",
    key: `resume-${stripe_id}-${randomUUID()}`,
    subscription: id,
    subject: stripe_id,
    now,
  });
  return { ...found, isLiving: true };
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

const endedColumns = "returning id, stripe_id, stripe_status";
const cancelText = `update app_subscriptions set canceled_at = ?
  where app_id = ? and location_id = ? and canceled_at is null ${endedColumns}`;
const cancelOfCompanyText = `update app_subscriptions set canceled_at = ?
  where app_id = ? and workspace_id = ? and location_id is null and canceled_at is null
    and not exists (select 1 from locations l join app_installs i on i.location_id = l.id
      where l.workspace_id = ? and i.app_id = ? and i.uninstalled_at is null) ${endedColumns}`;

/**
 * The location has the app no more: its subscription is canceled, and that of its company where no other location has the app. Held before. At Stripe
 * a paid period is left to run out, so that an install within it resumes the subscription; what is past due ends at once.
 */
export async function cancelSubscriptions(
  change: Writer,
  { appId, workspaceId, locationId }: AppLocation,
  now: Date,
): Promise<void> {
  const ended = [
    ...(await change.rows<PlatformRow>(cancelText, [now, appId, locationId])),
    ...(await change.rows<PlatformRow>(cancelOfCompanyText, [now, appId, workspaceId, workspaceId, appId])),
  ];
  for (const { id, stripe_id: subject, stripe_status: status } of ended) {
    if (subject === null || !isLiving(status)) continue;
    const kind = status === "past_due" ? "end" : "cancel";
    intend(change, { kind, key: `${kind}-${subject}-${randomUUID()}`, subscription: id, subject, now });
  }
}
