/** Refunds a charge fully or partially. The amount is reserved before the call to Stripe, so that concurrent refunds never exceed the charge. */
import { randomUUID } from "node:crypto";
import type { Caller } from "../../../../events/caller.ts";
import type { Network } from "../../../../operation/network.ts";
import { StripeRefusal } from "../../../../outbound/stripe.ts";
import { Refusal } from "../../../../vocabulary/errors.ts";
import { failCall, performRefund } from "../calls/perform-refund.ts";
import { intend } from "../calls/stripe-call.service.ts";
import { depsOfCaller } from "../platform-deps.ts";
import { getCharge } from "./charge.queries.ts";
import type { RefundView } from "./charge.view.ts";
import { lockCharge, take } from "./stored-charge.ts";

interface RefundInput {
  /** The remaining amount by default. */
  readonly amount_cents?: number | undefined;
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
  { amount_cents, reason = null }: RefundInput,
): Promise<RefundView> {
  const deps = depsOfCaller(caller, network);
  const { stripe_id: subject } = await getCharge(caller, chargeId);
  const key = `refund-${randomUUID()}`;
  const { amount, left } = await caller.change(async (change) => {
    const charge = await lockCharge(change, subject);
    const before = charge.amount_cents - charge.taken_cents;
    const wanted = amount_cents ?? before;
    if (wanted > before || wanted === 0) throw new Refusal("refund_too_large", { left_cents: String(before) });
    take(change, charge, wanted);
    intend(change, {
      kind: "refund",
      key,
      subscription: charge.app_subscription_id,
      subject,
      charge: charge.id,
      amountCents: wanted,
      reason,
      now: change.now,
      dueAt: new Date(change.now.getTime() + lease),
    });
    return { amount: wanted, left: before - wanted };
  });
  const call = { kind: "refund", key, subject, amount_cents: amount, reason } as const;
  const refund = { charge: subject, amount_cents: amount, left_cents: left };
  try {
    return { ...refund, id: await performRefund(deps, call), status: "succeeded" };
  } catch (error) {
    if (error instanceof StripeRefusal) {
      await failCall(deps, call, error.message);
      throw new Refusal(
        "refund_too_large",
        { message: `Stripe refused the refund: ${error.message}` },
        { cause: error },
      );
    }
    if (!(error instanceof Refusal) || error.code !== "processor_unavailable") throw error;
    return { ...refund, id: null, status: "pending" };
  }
}
