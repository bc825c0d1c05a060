/** Events of Stripe: verified, stored once by their id, and applied by a duty that may run again. */
import type { Stripe } from "stripe";
import { StripeRefusal } from "../../../../outbound/stripe.ts";
import type { Writer } from "../../../../storage/rows.ts";
import { refreshAccount } from "../account.service.ts";
import { refreshCharge } from "../ledger/charge.service.ts";
import { refreshDispute } from "../ledger/dispute.service.ts";
import { refreshCheckout } from "../checkout.service.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { idOf, toDate } from "../stripe-objects.ts";
import { refreshSubscription } from "../subscription-state.service.ts";

/** Reads the object anew and writes it; false where it is not of this service. */
type Refresh = (deps: PlatformDeps, stripeId: string) => Promise<boolean>;

interface EventHandler {
  /** Stripe's id of the object that is read anew; null for an event without one. */
  readonly subjectOf: (object: never) => string | null;
  readonly refresh: Refresh;
}

const itself = ({ id }: { id: string }) => id;
const ofCharge = ({ charge }: { charge: string | { id: string } | null }) => idOf(charge);
const subscription: EventHandler = { subjectOf: itself, refresh: refreshSubscription };
const ofInvoice: EventHandler = {
  subjectOf: ({ parent }: Stripe.Invoice) => idOf(parent?.subscription_details?.subscription),
  refresh: refreshSubscription,
};
const checkout: EventHandler = { subjectOf: itself, refresh: refreshCheckout };
const charge: EventHandler = { subjectOf: itself, refresh: refreshCharge };
const refund: EventHandler = { subjectOf: ofCharge, refresh: refreshCharge };
const dispute: EventHandler = { subjectOf: itself, refresh: refreshDispute };

/** What each type of event makes be read anew: the order in which events come does not matter. All others are ignored. */
const handlers = {
  "account.updated": { subjectOf: itself, refresh: refreshAccount },
  "checkout.session.completed": checkout,
  "checkout.session.expired": checkout,
  "customer.subscription.created": subscription,
  "customer.subscription.updated": subscription,
  "customer.subscription.deleted": subscription,
  "invoice.paid": ofInvoice,
  "invoice.payment_failed": ofInvoice,
  "charge.succeeded": charge,
  "charge.refunded": charge,
  "refund.created": refund,
  "refund.updated": refund,
  "charge.dispute.created": dispute,
  "charge.dispute.updated": dispute,
  "charge.dispute.closed": dispute,
  "charge.dispute.funds_withdrawn": dispute,
  "charge.dispute.funds_reinstated": dispute,
} as const satisfies Record<string, EventHandler>;

export const handledTypes = Object.keys(handlers) as (keyof typeof handlers)[];

function handlerOf(type: string): EventHandler | undefined {
  return Object.hasOwn(handlers, type) ? handlers[type as keyof typeof handlers] : undefined;
}

export interface StorableEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly createdAt: Date;
}

/** Why an event is not stored, as the end of a log line. */
export type Ignored = string;

/** What is stored of an event that was verified. An event of another mode or about nothing that is handled is ignored. */
export function toStorable(event: Stripe.Event, { isLive }: { readonly isLive: boolean }): StorableEvent | Ignored {
  if (event.livemode !== isLive) return `it is of ${event.livemode ? "live" : "test"} mode`;
  const handler = handlerOf(event.type);
  if (handler === undefined) return "its type is not handled";
  // Of a connected account only its own state is looked at: its other objects are not charges of this service.
  if (event.account !== undefined && event.type !== "account.updated") return "it is of a connected account";
  const subject = handler.subjectOf(event.data.object as never);
  if (typeof subject !== "string" || subject.length > 255) return "it names no object";
  return { id: event.id, type: event.type, subject, createdAt: toDate(event.created) };
}

const storeText = `insert into stripe_events (stripe_id, type, subject, created_at, received_at, due_at)
  values (?, ?, ?, ?, ?, ?) on conflict (stripe_id) do nothing`;

/** Stores an event once, however often it comes. */
export function storeEvent(change: Writer, { id, type, subject, createdAt }: StorableEvent, now: Date): void {
  change.send(storeText, [id, type, subject, createdAt, now, now]);
}

/** Reads what an event is about and writes it. What is not there, or not of this service, is logged and done. */
export async function applyEvent(deps: PlatformDeps, type: string, subject: string): Promise<void> {
  const isOurs = await handlerOf(type)
    ?.refresh(deps, subject)
    .catch((error: unknown) => {
      if (error instanceof StripeRefusal && error.code === "resource_missing") return false;
      throw error;
    });
  if (isOurs === false) deps.log.warn("a Stripe event concerns no object of this service", { type, subject });
}
