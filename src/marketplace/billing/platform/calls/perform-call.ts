/** Performs one call to Stripe, by its kind, and records the result. The idempotency key makes retries safe. */
import { plainName } from "../../../../kit/input/name.ts";
import type { Mailer } from "../../../../mail/mailer.ts";
import { callStripe, StripeRefusal } from "../../../../outbound/stripe.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { refreshSubscription } from "../subscription-state.service.ts";
import { failCall, performRefund } from "./perform-refund.ts";
import { markDone } from "./stripe-call.service.ts";

export interface CallDeps extends PlatformDeps {
  /** Sends the service's account mails; null without `CRM_SMTP_URL`. */
  readonly mailer: Mailer | null;
}

/** The kinds that a duty performs. Reversals and transfers are performed while their dispute or refund is recorded. */
export type DutyKind = "refund" | "cancel" | "resume" | "end" | "price" | "notice";

export interface IntendedCall {
  readonly id: number;
  readonly kind: DutyKind;
  readonly key: string;
  readonly subject: string;
  readonly amount_cents: number | null;
  readonly reason: string | null;
  readonly attempts: number;
}

const perform: Readonly<Record<DutyKind, (deps: CallDeps, call: IntendedCall) => Promise<void>>> = {
  async refund(deps, call) {
    await performRefund(deps, call);
  },
  cancel: (deps, call) => setEnding(deps, call, true),
  resume: (deps, call) => setEnding(deps, call, false),
  async end(deps, { key, subject }) {
    await callStripe(deps.stripe, (stripe) => stripe.subscriptions.cancel(subject));
    await finish(deps, key, subject);
  },
  price: performPrice,
  notice: performNotice,
};

/** Throws errors that a retry may resolve. A permanently refused call is marked as failed. */
export async function performCall(deps: CallDeps, call: IntendedCall): Promise<void> {
  try {
    await perform[call.kind](deps, call);
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    deps.log.error("Stripe refused a call", { kind: call.kind, subject: call.subject, error: error.message });
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

/** Changes the price from the next period on, without proration. */
async function performPrice(deps: CallDeps, { key, subject, amount_cents }: IntendedCall): Promise<void> {
  const { items } = await callStripe(deps.stripe, (stripe) => stripe.subscriptions.retrieve(subject));
  const item = items.data[0]!;
  const product = typeof item.price.product === "string" ? item.price.product : item.price.product.id;
  const price_data = {
    currency: "usd",
    product,
    recurring: { interval: "month" },
    unit_amount: amount_cents!,
  } as const;
  await callStripe(deps.stripe, (stripe) =>
    stripe.subscriptions.update(
      subject,
      { items: [{ id: item.id, price_data }], proration_behavior: "none" },
      { idempotencyKey: key },
    ),
  );
  await finish(deps, key, subject);
}

const appText = `select a.name, k.amount_cents, k.due_at from stripe_calls k join app_subscriptions s on s.id = k.app_subscription_id
  join apps a on a.id = s.app_id where k.key = ?`;

/** Mails the payer about a failed payment, with the link to the invoice. */
async function performNotice(deps: CallDeps, { key, subject }: IntendedCall): Promise<void> {
  const { database, stripe, mailer, clock, log, graceDays } = deps;
  const invoice = await callStripe(stripe, (client) => client.invoices.retrieve(subject));
  const [app] = await database.rows<{ name: string }>(appText, [key]);
  const { customer_email: email, hosted_invoice_url: url } = invoice;
  if (invoice.status === "open" && email !== null && url) {
    if (mailer === null) log.warn("a payer was not notified of a failed payment: set CRM_SMTP_URL", { url });
    else await mailer.send(failedPaymentLetter({ email, url, app: app!.name, graceDays }));
  }
  await database.transaction(async (change) => markDone(change, key, null, clock.now()));
}

function failedPaymentLetter(given: { email: string; url: string; app: string; graceDays: number }) {
  const { email, url, graceDays } = given;
  const app = plainName(given.app);
  return {
    to: { address: email, name: null },
    subject: `Your payment for ${app} failed`,
    text: `Hello,

the payment for ${app} failed. It keeps working for ${graceDays} ${graceDays === 1 ? "day" : "days"}. Pay the invoice here:

${url}

`,
  };
}
