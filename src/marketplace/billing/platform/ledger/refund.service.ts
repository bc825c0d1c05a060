/** Refunds a charge fully or partially. The amount is reserved before the call to Stripe, so that concurrent refunds never exceed the charge. */
import { randomUUID } from "node:crypto";
import type { Stripe } from "stripe";
import type { Caller } from "../../../../events/caller.ts";
import type { Network } from "../../../../operation/network.ts";
import { StripeRefusal } from "../../../../outbound/stripe.ts";
import { toDollars } from "../../../../kit/input/money.ts";
import { Invalid, Refusal } from "../../../../vocabulary/errors.ts";
import { createRefund, failCall } from "../calls/perform-refund.ts";
import { findReversedTransfer, intendRefund } from "../calls/stripe-call.service.ts";
import { depsOfCaller } from "../platform-deps.ts";
import { getCharge } from "./charge.queries.ts";
import type { RefundView } from "./charge.view.ts";
import { hasFailed, writeRefund } from "./refund-entries.ts";
import { ReversalDeferred } from "./reversal-plan.ts";
import { findCharge, lockCharge, addTakenCents } from "./stored-charge.ts";

interface RefundInput {
  /** The remaining amount by default. */
  readonly amount_cents?: number | undefined;
  /** What the caller saw that is left: another refund since then is refused on `amount_cents`, so that a form submitted twice refunds once. */
  readonly left_cents?: number | undefined;
  readonly reason?: string | null | undefined;
}

/** The lease of the process that recorded the call, in milliseconds: the worker takes the call over afterwards. */
const lease = 60_000;

/**
 * Refuses `charge.not_found`, and `refund_too_large` beyond the remaining amount. If Stripe is unreachable the refund is `pending`: it stays in the
 * outbox, and the worker retries it.
 */
export async function refundCharge(
  caller: Caller,
  network: Network,
  chargeId: number,
  { amount_cents, left_cents: seen, reason = null }: RefundInput,
): Promise<RefundView> {
  const deps = depsOfCaller(caller, network);
  const { stripe_id: subject } = await getCharge(caller, chargeId);
  const key = `refund-${randomUUID()}`;
  const { amount, left, transfer_id } = await caller.change(async (change) => {
    const charge = await lockCharge(change, subject);
    const before = charge.amount_cents - charge.taken_cents;
    if (seen !== undefined && seen !== before)
      throw new Invalid({ amount_cents: [`Another refund was made: ${toDollars(before)} is left.`] });
    const wanted = amount_cents ?? before;
    if (wanted > before || wanted === 0) throw new Refusal("refund_too_large", { left_cents: String(before) });
    addTakenCents(change, charge, wanted);
    intendRefund(change, {
      key,
      subscription: charge.app_subscription_id,
      subject,
      charge: charge.id,
      amountCents: wanted,
      reason,
      now: change.now,
      dueAt: new Date(change.now.getTime() + lease),
    });
    const transfer = await findReversedTransfer(change, key);
    return { amount: wanted, left: before - wanted, transfer_id: transfer };
  });
  const call = { kind: "refund", key, subject, amount_cents: amount, reason, transfer_id } as const;
  const refund = { charge: subject, amount_cents: amount, left_cents: left };
  let made: Stripe.Refund;
  try {
    made = await createRefund(deps, call);
  } catch (error) {
    if (error instanceof StripeRefusal) {
      await failCall(deps, call, error.message);
      throw new Refusal(
        "refund_too_large",
        { message: `Stripe refused the refund: ${error.message}` },
        { cause: error },
      );
    }
    if (!isRetried(error)) throw error;
    return { ...refund, id: null, status: "pending" };
  }
  try {
    await writeRefund(deps, (await findCharge(caller, subject))!, made);
  } catch (error) {
    // It is made: the worker records it.
    if (!isRetried(error)) throw error;
  }
  if (hasFailed(made)) throw new Refusal("refund_too_large", { message: `The refund ${made.status} at Stripe.` });
  return { ...refund, id: made.id, status: "succeeded" };
}

/** Errors that a later attempt of the worker resolves. */
function isRetried(error: unknown): boolean {
  const isUnavailable = error instanceof Refusal && error.code === "processor_unavailable";
  return isUnavailable || error instanceof StripeRefusal || error instanceof ReversalDeferred;
}
