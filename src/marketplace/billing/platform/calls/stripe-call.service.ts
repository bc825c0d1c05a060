/** The transactional outbox of calls to Stripe: a call is recorded as intended in the transaction that needs it, and as done after Stripe's response. */
import type { Writer } from "../../../../storage/rows.ts";
import type { Value } from "../../../../storage/value.ts";
import type { StripeCallKind } from "../../../../vocabulary/states.ts";

interface Intent {
  readonly kind: StripeCallKind;
  /** The idempotency key. */
  readonly key: string;
  /** The id of the subscription in this database. */
  readonly subscription: number;
  /** Stripe's id of the object that the call is about. */
  readonly subject: string;
  readonly charge?: number;
  /** Of a reversal: Stripe's id of the transfer. */
  readonly transfer?: string;
  readonly amountCents?: number;
  readonly reason?: string | null;
  readonly now: Date;
  /** When the duty performs it; `now` by default. */
  readonly dueAt?: Date;
}

const intendText = `insert into stripe_calls (kind, key, app_subscription_id, charge_id, subject, amount_cents, reason, intended_at, due_at, transfer_id)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const intendOnceText = `${intendText} on conflict (key) do nothing`;

/** Records a call with a unique key. */
export function intend(change: Writer, intent: Intent): void {
  change.send(intendText, toValues(intent));
}

/** Records a call with a key that is derived from its cause, idempotently: an earlier record stays unchanged. */
export function intendOnce(change: Writer, intent: Intent): void {
  change.send(intendOnceText, toValues(intent));
}

function toValues(intent: Intent): Value[] {
  const { kind, key, subscription, subject, charge = null, amountCents = null, reason = null, now } = intent;
  const { dueAt = now, transfer = null } = intent;
  return [kind, key, subscription, charge, subject, amountCents, reason, now, dueAt, transfer];
}

/**
 * Stripe reverses only the original transfer of a charge with a refund. After a won dispute or a failed refund the owner has another transfer as
 * well, and the service reverses them itself. Decided here, since each attempt must send the same parameters under the key.
 */
const reversedText = `update stripe_calls set transfer_id = (select c.transfer_id from platform_charges c where c.id = stripe_calls.charge_id
    and (select count(*) from ledger_entries e where e.charge_id = c.id and e.kind = 'transfer') = 1)
  where key = ?`;

/** Records a refund of a charge, which must be locked. */
export function intendRefund(change: Writer, intent: Omit<Intent, "kind" | "transfer">): void {
  intend(change, { ...intent, kind: "refund" });
  change.send(reversedText, [intent.key]);
}

const transferText = "select transfer_id from stripe_calls where key = ?";

/** The transfer that Stripe reverses with a recorded refund; null if the service does. */
export async function findReversedTransfer(change: Writer, key: string): Promise<string | null> {
  const [call] = await change.rows<{ transfer_id: string | null }>(transferText, [key]);
  return call?.transfer_id ?? null;
}

/** SQL condition: neither done nor given up. */
export const isOpenCall = "done_at is null and failed_at is null";

const doneText = "update stripe_calls set done_at = ?, result = ?, error = null where key = ? and done_at is null";

/** Marks a call as done; `result` is the id of the object at Stripe. */
export function markDone(change: Writer, key: string, result: string | null, now: Date): void {
  change.send(doneText, [now, result, key]);
}

const failedText =
  "update stripe_calls set failed_at = ?, error = ? where key = ? and done_at is null and failed_at is null returning id";

/** Marks a call as permanently refused, or given up. False if it was already done or failed. */
export async function markFailed(change: Writer, key: string, error: string, now: Date): Promise<boolean> {
  return (await change.rows(failedText, [now, error, key])).length === 1;
}
