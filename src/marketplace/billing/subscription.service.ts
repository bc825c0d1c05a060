/** Creates a subscription when a payment is due, and cancels it when the app is uninstalled. */
import { randomUUID } from "node:crypto";
import type { Writer } from "../../storage/rows.ts";
import type { SubscriptionStatus } from "../../vocabulary/states.ts";
import { isLiving } from "./platform/stripe-objects.ts";
import { isVoided } from "./platform/voided.ts";
import { intend } from "./platform/calls/stripe-call.service.ts";
import { forUpdate } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import type { Payer } from "./payer.ts";

const openText = `insert into app_subscriptions (app_id, workspace_id, location_id, created_at) values (?, ?, ?, ?)
  on conflict do nothing`;
const isPaidText = sql`select payment_status = 'COMPLETED' and canceled_at is null as is_paid from app_subscriptions
  where app_id = ? and workspace_id = ? and location_id is not distinct from ?${forUpdate("app_subscriptions")}`;

/** Locks the payer's subscription to the app until the commit, and returns whether it is active. Creates an incomplete one if there is none. */
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

const lockedText = sql`select id, decided_at from app_subscriptions
  where app_id = ? and workspace_id = ? and location_id is not distinct from ?${forUpdate("app_subscriptions")}`;

/** Locks the payer's subscription to the app until the commit. Creates an incomplete one if there is none. `decidedAt` is in milliseconds. */
export async function lockSubscription(
  change: Writer,
  appId: number,
  { workspaceId, locationId }: Payer,
  now: Date,
): Promise<{ readonly id: number; readonly decidedAt: number | null }> {
  change.send(openText, [appId, workspaceId, locationId, now]);
  const [row] = await change.rows<{ id: number; decided_at: number | null }>(lockedText, [
    appId,
    workspaceId,
    locationId,
  ]);
  return { id: row!.id, decidedAt: row!.decided_at };
}

const livingText = sql`select id, stripe_id, stripe_status, past_due_since, period_ends_at, canceled_at from app_subscriptions
  where app_id = ? and workspace_id = ? and location_id is not distinct from ?${forUpdate("app_subscriptions")}`;
const restartText = "update app_subscriptions set canceled_at = null where id = ?";

interface PlatformRow {
  readonly id: number;
  readonly stripe_id: string | null;
  readonly stripe_status: SubscriptionStatus | null;
  readonly past_due_since: number | null;
  readonly period_ends_at: number | null;
  readonly canceled_at: number | null;
}

/** The subscription of a payer to an app with platform billing. */
export interface PlatformSubscription {
  readonly id: number;
  /** Whether the app installs without another checkout. */
  readonly isLiving: boolean;
  readonly status: SubscriptionStatus | null;
  readonly pastDueSince: Date | null;
}

/**
 * Locks the payer's subscription at Stripe until the commit; creates an incomplete one if there is none. A subscription that an uninstall
 * canceled resumes if its period is still paid.
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
  if (!isPaid || (await isVoided(change, stripe_id))) return { ...found, isLiving: false };
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

/** The same; null for the subscription of the company alone. */
type MaybeLocation = Omit<AppLocation, "locationId"> & { readonly locationId: number | null };

const lockText = sql`select id from app_subscriptions
  where app_id = ? and workspace_id = ? and (location_id = ? or location_id is null) order by id${forUpdate("app_subscriptions")}`;

/**
 * Locks the subscriptions of this location and its company to the app until the commit. Call it before an install ends: of two concurrent
 * uninstalls, the second must see that no other install is left.
 */
export async function lockSubscriptions(
  change: Writer,
  { appId, workspaceId, locationId }: MaybeLocation,
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
 * Cancels the subscription of a location after an uninstall, and that of its company if no other location has the app. Both must be locked.
 * At Stripe a paid period runs to its end, so that an install within it resumes the subscription; a past due one ends immediately.
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
