/**
 * Decides once per cause which transfers of a charge a reversal takes from, and how much of each. The plan is stored before the first call to
 * Stripe, so that every attempt, of any process, sends the same amounts under the same idempotency keys.
 */
import { randomUUID } from "node:crypto";
import type { Rows, Writer } from "../../../../storage/rows.ts";
import { intend, isOpenCall } from "../calls/stripe-call.service.ts";
import { findKinds } from "./ledger.service.ts";
import type { StoredCharge } from "./stored-charge.ts";

export interface MovementCause {
  /** Stripe's id of the dispute or refund. */
  readonly cause: string;
  readonly amountCents: number;
}

/** What one transfer gives back. */
export interface PlannedReversal {
  /** The idempotency key, and `call` in the metadata of the reversal. */
  readonly key: string;
  readonly transfer_id: string;
  readonly amount_cents: number;
  /** When another process has carried it out; null before. */
  readonly done_at: number | null;
}

/** A transfer to the owner, and what is left of it at Stripe. */
export interface TransferRest {
  readonly id: string;
  readonly restCents: number;
}

/**
 * A reversal has to wait: the transfers of its charge have too little left, since a failed refund or a won dispute is not given back yet, or another
 * process works on the same. A retry resolves it.
 */
export class ReversalDeferred extends Error {}

interface ReservedPart extends PlannedReversal {
  readonly kind: string;
  readonly subject: string;
}

const reservedText = `select key, kind, subject, transfer_id, amount_cents, done_at from stripe_calls
  where charge_id = ? and transfer_id is not null and (${isOpenCall} or kind = 'reversal' and subject = ? and done_at is not null) order by id`;
const forgetRefusedText = `delete from stripe_calls where charge_id = ? and kind = 'reversal' and subject = ? and failed_at is not null`;

interface ReadState {
  /** The transfers of the charge, the one that gives back first before the others. */
  readonly rests: readonly TransferRest[];
  /** The keys of the reversals for the cause that exist, and their sum. */
  readonly made: ReadonlySet<string>;
  readonly madeCents: number;
  readonly now: Date;
}

/**
 * Plans how `amountCents` are reversed for `cause`, given what was read at Stripe; resolves to what is not made there. What an earlier attempt planned stays as it is.
 * The charge must be locked. Throws a ReversalDeferred.
 */
export async function planReversals(
  change: Writer,
  charge: StoredCharge,
  { cause, amountCents, rests, made, madeCents, now }: MovementCause & ReadState,
): Promise<PlannedReversal[]> {
  const known = await change.rows<ReservedPart>(reservedText, [charge.id, cause]);
  const planned: PlannedReversal[] = known.filter(
    ({ kind, subject, key }) => kind === "reversal" && subject === cause && !made.has(key),
  );
  let missing = amountCents - madeCents - sumOf(planned);
  const added: PlannedReversal[] = [];
  for (const { id, restCents } of rests) {
    // Another cause, or a refund that Stripe reverses itself, takes from the same transfer.
    const reserved = sumOf(known.filter(({ transfer_id, done_at }) => transfer_id === id && done_at === null));
    const amount_cents = Math.min(missing, restCents - reserved);
    if (amount_cents <= 0) continue;
    added.push({ key: `reversal-${randomUUID()}`, transfer_id: id, amount_cents, done_at: null });
    missing -= amount_cents;
  }
  if (missing > 0) throw new ReversalDeferred(`The owner's transfers have ${missing} cents less than is reversed.`);
  if (added.length === 0) return planned;
  // A refund that failed, or a dispute that was won, before it was reversed is recorded without a reversal.
  if ((await findKinds(change, cause)).size > 0)
    throw new ReversalDeferred("Another process has recorded it meanwhile.");
  change.send(forgetRefusedText, [charge.id, cause]);
  for (const { key, transfer_id: transfer, amount_cents } of added)
    intend(change, {
      kind: "reversal",
      key,
      subscription: charge.app_subscription_id,
      subject: cause,
      charge: charge.id,
      transfer,
      amountCents: amount_cents,
      now,
    });
  return [...planned, ...added];
}

const sumOf = (parts: readonly { readonly amount_cents: number }[]): number =>
  parts.reduce((sum, { amount_cents }) => sum + amount_cents, 0);

const plannedText = `select 1 as found from stripe_calls where charge_id = ? and kind = 'reversal' and subject = ? and failed_at is null limit 1`;

/** Whether a reversal for `cause` is planned or made: it is then carried out, even if its refund has failed meanwhile. */
export async function isReversalPlanned(
  rows: Pick<Rows, "rows">,
  { id }: Pick<StoredCharge, "id">,
  cause: string,
): Promise<boolean> {
  return (await rows.rows(plannedText, [id, cause])).length > 0;
}

const closeText = `update stripe_calls set done_at = ?, error = null
  where charge_id = ? and kind = 'reversal' and subject = ? and transfer_id is null and ${isOpenCall}`;

/** Closes the calls for `cause` that were recorded before reversals were planned: the plan replaces them. */
export function closeUnplanned(change: Writer, { id }: Pick<StoredCharge, "id">, cause: string, now: Date): void {
  change.send(closeText, [now, id, cause]);
}
