/** Stripe's events: stored once by their id, and applied idempotently, by reading the object that they name. */
import type { Stripe } from "stripe";
import { StripeRefusal } from "../../../../outbound/stripe.ts";
import type { Writer } from "../../../../storage/rows.ts";
import { refreshAccount } from "../account.service.ts";
import { refreshCharge, refreshRefund } from "../ledger/charge.service.ts";
import { refreshDispute } from "../ledger/dispute.service.ts";
import { refreshCheckout } from "../checkout.service.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { idOf, toDate } from "../stripe-objects.ts";
import { refreshSubscription } from "../subscription-state.service.ts";

/** Reads the current state of an object from Stripe and stores it. False if the object belongs to another service. */
type Refresh = (deps: PlatformDeps, stripeId: string) => Promise<boolean>;

interface EventHandler {
  /** Stripe's id of the object to read; null for an event without one. */
  readonly subjectOf: (object: never) => string | null;
  readonly refresh: Refresh;
}

const itself = ({ id }: { id: string }) => id;
const subscription: EventHandler = { subjectOf: itself, refresh: refreshSubscription };
const ofInvoice: EventHandler = {
  subjectOf: ({ parent }: Stripe.Invoice) => idOf(parent?.subscription_details?.subscription),
  refresh: refreshSubscription,
};
const checkout: EventHandler = { subjectOf: itself, refresh: refreshCheckout };
const charge: EventHandler = { subjectOf: itself, refresh: refreshCharge };
const refund: EventHandler = { subjectOf: itself, refresh: refreshRefund };
const dispute: EventHandler = { subjectOf: itself, refresh: refreshDispute };

/** The object to read for each type of event, so that the order of delivery does not matter. Other types are ignored. */
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
  "refund.failed": refund,
  "charge.refund.updated": refund,
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

/** What Stripe uses as an id; both databases store it. */
const stripeId = /^\w{1,255}$/;
/** The last second of the year 9999, the latest time that both databases store. */
const lastSecond = 253_402_300_799;

/** The reason why an event is not stored, as the end of a log message. */
export type Ignored = string;

/** The columns to store of a verified event. An event of another mode, or of a type without a handler, is ignored. */
export function toStorable(event: Stripe.Event, { isLive }: { readonly isLive: boolean }): StorableEvent | Ignored {
  if (!stripeId.test(event.id)) return "its id is not one of Stripe's";
  if (event.created < 0 || event.created > lastSecond) return "its time is out of bounds";
  if (event.livemode !== isLive) return `it is of ${event.livemode ? "live" : "test"} mode`;
  const handler = handlerOf(event.type);
  if (handler === undefined) return "its type is not handled";
  // Of a connected account only its own state matters: its other objects are not charges of this service.
  if (event.account !== undefined && event.type !== "account.updated") return "it is of a connected account";
  const subject = handler.subjectOf(event.data.object as never);
  if (typeof subject !== "string" || !stripeId.test(subject)) return "it names no object";
  return { id: event.id, type: event.type, subject, createdAt: toDate(event.created) };
}

const storeText = `insert into stripe_events (stripe_id, type, subject, created_at, received_at, due_at)
  values (?, ?, ?, ?, ?, ?) on conflict (stripe_id) do nothing`;

/** Stores an event, idempotently: a redelivery changes nothing. */
export function storeEvent(change: Writer, { id, type, subject, createdAt }: StorableEvent, now: Date): void {
  change.send(storeText, [id, type, subject, createdAt, now, now]);
}

/** Reads the object of an event and stores its state. An object that is missing, or belongs to another service, is logged and ignored. */
export async function applyEvent(deps: PlatformDeps, type: string, subject: string): Promise<void> {
  const isOurs = await handlerOf(type)
    ?.refresh(deps, subject)
    .catch((error: unknown) => {
      if (error instanceof StripeRefusal && error.code === "resource_missing") return false;
      throw error;
    });
  if (isOurs === false) deps.log.warn("a Stripe event concerns no object of this service", { type, subject });
}
