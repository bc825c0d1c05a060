/** Performs a recorded refund at Stripe, idempotently, and appends it to the ledger. */
import { callStripe } from "../../../../outbound/stripe.ts";
import { writeRefund } from "../ledger/refund-entries.ts";
import { findOpenTransfer } from "../ledger/reversal.service.ts";
import { findCharge, lockCharge, take } from "../ledger/stored-charge.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { markFailed } from "./stripe-call.service.ts";

interface RefundCall {
  readonly kind: string;
  readonly key: string;
  /** Stripe's id of the charge. */
  readonly subject: string;
  readonly amount_cents: number | null;
  readonly reason: string | null;
}

/** Marks a permanently refused call as failed; the reserved amount of a refund is released, once. */
export async function failCall({ database, clock }: PlatformDeps, call: RefundCall, error: string): Promise<void> {
  await database.transaction(async (change) => {
    const charge = call.kind === "refund" ? await lockCharge(change, call.subject) : undefined;
    const isFirst = await markFailed(change, call.key, error, clock.now());
    if (isFirst && charge !== undefined) take(change, charge, -(call.amount_cents ?? 0));
  });
}

/** Resolves to Stripe's id of the refund. */
export async function performRefund(
  deps: PlatformDeps,
  { key, subject, amount_cents, reason }: RefundCall,
): Promise<string> {
  const charge = (await findCharge(deps.database, subject))!;
  // Stripe reverses only the original transfer of the charge. A dispute has reversed that one, and a won dispute made a new transfer.
  const reverse_transfer = (await findOpenTransfer(deps, charge)) === charge.transfer_id;
  const refund = await callStripe(deps.stripe, (stripe) =>
    stripe.refunds.create(
      {
        charge: subject,
        amount: amount_cents!,
        reverse_transfer,
        metadata: { call: key, ...(reason === null ? {} : { reason }) },
        expand: ["transfer_reversal"],
      },
      { idempotencyKey: key },
    ),
  );
  await writeRefund(deps, charge, refund);
  return refund.id;
}
