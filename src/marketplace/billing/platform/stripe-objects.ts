/** Pure functions from Stripe's objects to the facts that platform billing needs. */
import type { Stripe } from "stripe";
import type { SubscriptionStatus } from "../../../vocabulary/states.ts";

/** The id of an object that may be expanded. */
export function idOf(given: string | { readonly id: string }): string;
export function idOf(given: string | { readonly id: string } | null | undefined): string | null;
export function idOf(given: string | { readonly id: string } | null | undefined): string | null {
  if (given === null || given === undefined) return null;
  return typeof given === "string" ? given : given.id;
}

/** Stripe's times are seconds since 1970. */
export function toDate(seconds: number): Date {
  return new Date(seconds * 1000);
}

/** Whether an amount of cents moves money and fits both databases. */
export function isAmount(cents: number): boolean {
  return Number.isSafeInteger(cents) && cents > 0;
}

export interface SubscriptionFacts {
  readonly id: string;
  readonly customerId: string;
  readonly status: SubscriptionStatus;
  readonly priceCents: number | null;
  readonly periodEndsAt: Date | null;
  /** The key of the checkout that created it, from its metadata. */
  readonly checkoutKey: string | null;
  readonly latestInvoiceId: string | null;
}

const statuses: Readonly<Record<string, SubscriptionStatus>> = {
  incomplete: "incomplete",
  incomplete_expired: "canceled",
  trialing: "trialing",
  active: "active",
  past_due: "past_due",
  unpaid: "past_due",
  paused: "past_due",
  canceled: "canceled",
};

export function toSubscriptionFacts(subscription: Stripe.Subscription): SubscriptionFacts {
  const [item] = subscription.items.data;
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer),
    status: statuses[subscription.status] ?? "incomplete",
    priceCents: item?.price.unit_amount ?? null,
    periodEndsAt: item === undefined ? null : toDate(item.current_period_end),
    checkoutKey: subscription.metadata["checkout"] ?? null,
    latestInvoiceId: idOf(subscription.latest_invoice),
  };
}

/** Whether a subscription is trialing, active, or past due and recoverable by a payment. */
export function isLiving(status: SubscriptionStatus | null): boolean {
  return status === "trialing" || status === "active" || status === "past_due";
}

export interface ChargeFacts {
  readonly id: string;
  readonly amountCents: number;
  readonly refundedCents: number;
  readonly chargedAt: Date;
  readonly paymentIntentId: string | null;
  readonly transferId: string;
  readonly destination: string;
}

/** Undefined for a charge that moved no money to an owner: it failed, has another currency, no connected account, or an amount out of bounds. */
export function toChargeFacts(charge: Stripe.Charge): ChargeFacts | undefined {
  const { transfer } = charge;
  if (!isAmount(charge.amount) || !Number.isSafeInteger(charge.amount_refunded)) return undefined;
  if (charge.status !== "succeeded" || charge.currency !== "usd" || !transfer || typeof transfer === "string") {
    return undefined;
  }
  const destination = idOf(transfer.destination);
  if (destination === null || transfer.amount !== charge.amount) return undefined;
  return {
    id: charge.id,
    amountCents: charge.amount,
    refundedCents: charge.amount_refunded,
    chargedAt: toDate(charge.created),
    paymentIntentId: idOf(charge.payment_intent),
    transferId: transfer.id,
    destination,
  };
}
