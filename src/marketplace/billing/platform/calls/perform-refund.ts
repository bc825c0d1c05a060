/** Performs a recorded refund at Stripe, idempotently. */
import type { Stripe } from "stripe";
import { callStripe } from "../../../../outbound/stripe.ts";
import { listRefunds, writeRefund } from "../ledger/refund-entries.ts";
import { findCharge, lockCharge, addTakenCents } from "../ledger/stored-charge.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { markFailed } from "./stripe-call.service.ts";

interface RefundCall {
  readonly kind: string;
  readonly key: string;
  /** Stripe's id of the charge. */
  readonly subject: string;
  readonly amount_cents: number | null;
  readonly reason: string | null;
  /** The transfer that Stripe reverses with the refund; null if the service reverses it afterwards. */
  readonly transfer_id: string | null;
}

/** Marks a permanently refused call as failed; the reserved amount of a refund is released, once. */
export async function failCall({ database, clock }: PlatformDeps, call: RefundCall, error: string): Promise<void> {
  await database.transaction(async (change) => {
    const charge = call.kind === "refund" ? await lockCharge(change, call.subject) : undefined;
    const isFirst = await markFailed(change, call.key, error, clock.now());
    if (isFirst && charge !== undefined) addTakenCents(change, charge, -(call.amount_cents ?? 0));
  });
}

/** Retries a refund: Stripe forgets idempotency keys after a day, so one that was made is looked up first, by its metadata. */
export async function retryRefund(deps: PlatformDeps, call: RefundCall): Promise<void> {
  const refunds = await listRefunds(deps, call.subject);
  const made = refunds.find(({ metadata }) => metadata?.["call"] === call.key);
  const refund = made ?? (await createRefund(deps, call));
  await writeRefund(deps, (await findCharge(deps.database, call.subject))!, refund);
}

/** Creates a recorded refund at Stripe; the caller records it in the ledger. */
export async function createRefund(
  deps: PlatformDeps,
  { key, subject, amount_cents, reason, transfer_id }: RefundCall,
): Promise<Stripe.Refund> {
  return callStripe(deps.stripe, (stripe) =>
    stripe.refunds.create(
      {
        charge: subject,
        amount: amount_cents!,
        reverse_transfer: transfer_id !== null,
        metadata: { call: key, ...(reason === null ? {} : { reason }) },
        expand: ["transfer_reversal"],
      },
      { idempotencyKey: key },
    ),
  );
}
