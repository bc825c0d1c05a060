/** Performs one call to Stripe, by its kind, and records the result. The idempotency key makes retries safe. */
import { SmtpFault } from "../../../../mail/smtp-fault.ts";
import { callStripe, StripeRefusal } from "../../../../outbound/stripe.ts";
import { refreshSubscription } from "../subscription-state.service.ts";
import { voidIfUninstalled } from "../void.service.ts";
import type { CallDeps, DutyKind, IntendedCall } from "./intended-call.ts";
import { performNotice } from "./perform-notice.ts";
import { performPrice } from "./perform-price.ts";
import { failCall, retryRefund } from "./perform-refund.ts";
import { markDone } from "./stripe-call.service.ts";

const perform: Readonly<Record<DutyKind, (deps: CallDeps, call: IntendedCall) => Promise<void>>> = {
  refund: retryRefund,
  cancel: (deps, call) => setEnding(deps, call, true),
  resume: (deps, call) => setEnding(deps, call, false),
  async end(deps, { key, subject }) {
    try {
      await callStripe(deps.stripe, (stripe) => stripe.subscriptions.cancel(subject));
    } catch (error) {
      // It has ended already, by an earlier attempt whose answer was lost, or at Stripe itself.
      if (!(error instanceof StripeRefusal) || error.code !== "resource_missing") throw error;
    }
    await finish(deps, key, subject);
  },
  price: performPrice,
  notice: performNotice,
  void: ({ database, clock }, { key, subject }) =>
    database.transaction(async (change) => {
      await voidIfUninstalled(change, subject, clock.now());
      markDone(change, key, null, clock.now());
    }),
};

/** Throws errors that a retry may resolve. What Stripe or the mail server refuses permanently is marked as failed. */
export async function performCall(deps: CallDeps, call: IntendedCall): Promise<void> {
  try {
    await perform[call.kind](deps, call);
  } catch (error) {
    const isMail = error instanceof SmtpFault && error.isFinal;
    if (!(error instanceof StripeRefusal) && !isMail) throw error;
    deps.log.error(isMail ? "a mail to a payer was refused" : "Stripe refused a call", {
      kind: call.kind,
      subject: call.subject,
      error: error.message,
    });
    await failCall(deps, call, error.message);
  }
}

async function finish(deps: CallDeps, key: string, subscription: string): Promise<void> {
  await deps.database.transaction(async (change) => markDone(change, key, subscription, deps.clock.now()));
  await refreshSubscription(deps, subscription);
}

async function setEnding(deps: CallDeps, { key, subject }: IntendedCall, isEnding: boolean): Promise<void> {
  await callStripe(deps.stripe, (stripe) =>
    stripe.subscriptions.update(subject, { cancel_at_period_end: isEnding }, { idempotencyKey: key }),
  );
  await finish(deps, key, subject);
}
