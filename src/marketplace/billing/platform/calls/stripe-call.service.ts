/** The outbox of calls to Stripe: a call is written down as intended in the transaction that wants it, and as done after Stripe answered. */
import type { Writer } from "../../../../storage/rows.ts";
import type { StripeCallKind } from "../../../../vocabulary/states.ts";

interface Intent {
  readonly kind: StripeCallKind;
  /** The idempotency key; a call with this key that was intended before stays as it is. */
  readonly key: string;
  /** The id of our subscription. */
  readonly subscription: number;
  /** Stripe's id of what the call is about. */
  readonly subject: string;
  readonly charge?: number;
  readonly amountCents?: number;
  readonly reason?: string | null;
  readonly now: Date;
  /** When a duty carries it out; at once unless it says otherwise. */
  readonly dueAt?: Date;
}

const intendText = `insert into stripe_calls (kind, key, app_subscription_id, charge_id, subject, amount_cents, reason, intended_at, due_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (key) do nothing`;

export function intend(change: Writer, intent: Intent): void {
  const { kind, key, subscription, subject, charge = null, amountCents = null, reason = null, now } = intent;
  const { dueAt = now } = intent;
  change.send(intendText, [kind, key, subscription, charge, subject, amountCents, reason, now, dueAt]);
}

const doneText = "update stripe_calls set done_at = ?, result = ?, error = null where key = ? and done_at is null";

/** Stripe did it; `result` is its id of what came of it. */
export function markDone(change: Writer, key: string, result: string | null, now: Date): void {
  change.send(doneText, [now, result, key]);
}
