/** Voids the subscription of an install that cannot be finished: ends it and refunds its charges. */
import { randomUUID } from "node:crypto";
import { untilCommit } from "../../../storage/locks.ts";
import type { Writer } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import { intend, intendOnce } from "./calls/stripe-call.service.ts";
import { take } from "./ledger/stored-charge.ts";

const lockText = sql`select s.id, s.stripe_id from app_subscriptions s join locations l on l.workspace_id = s.workspace_id
  where l.id = ? and s.app_id = ? and (s.location_id = l.id or s.location_id is null) and s.canceled_at is null
    and s.stripe_status in ('trialing', 'active', 'past_due') and not exists (
      select 1 from app_installs i join locations own on own.id = i.location_id
      where i.app_id = s.app_id and i.uninstalled_at is null and own.workspace_id = s.workspace_id
        and (s.location_id is null or own.id = s.location_id))${untilCommit("s")}`;
const cancelText = "update app_subscriptions set canceled_at = ? where id = ?";
const chargesText = sql`select c.id, c.stripe_id, c.amount_cents, c.taken_cents, c.app_subscription_id from platform_charges c
  where c.app_subscription_id = ? and c.taken_cents < c.amount_cents
    and c.charged_at >= (select k.created_at from platform_checkouts k where k.subscription_id = ?) order by c.id${untilCommit("c")}`;

interface VoidedCharge {
  readonly id: number;
  readonly stripe_id: string;
  readonly amount_cents: number;
  readonly taken_cents: number;
  readonly app_subscription_id: number;
}

/** Voids the subscription, unless another install depends on it. */
export async function voidSubscription(
  change: Writer,
  { appId, locationId }: { readonly appId: number; readonly locationId: number },
  now: Date,
): Promise<void> {
  const [held] = await change.rows<{ id: number; stripe_id: string }>(lockText, [locationId, appId]);
  if (held === undefined) return;
  const { id: subscription, stripe_id: subject } = held;
  change.send(cancelText, [now, subscription]);
  for (const charge of await change.rows<VoidedCharge>(chargesText, [subscription, subject]))
    refundAll(change, charge, now);
  intendOnce(change, { kind: "end", key: voidKey(subject), subscription, subject, now });
}

const voidedText = "select id from stripe_calls where key = ?";

/** Refunds a charge that is recorded after its subscription was voided. The charge must be locked. */
export async function refundIfVoided(
  change: Writer,
  charge: VoidedCharge,
  stripeSubscriptionId: string,
  now: Date,
): Promise<void> {
  if ((await change.rows(voidedText, [voidKey(stripeSubscriptionId)])).length > 0) refundAll(change, charge, now);
}

function voidKey(stripeSubscriptionId: string): string {
  return `void-${stripeSubscriptionId}`;
}

function refundAll(change: Writer, charge: VoidedCharge, now: Date): void {
  const amountCents = charge.amount_cents - charge.taken_cents;
  if (amountCents === 0) return;
  take(change, charge, amountCents);
  intend(change, {
    kind: "refund",
    key: `refund-${randomUUID()}`,
    subscription: charge.app_subscription_id,
    subject: charge.stripe_id,
    charge: charge.id,
    amountCents,
    reason: "The install could not be finished",
    now,
  });
}
