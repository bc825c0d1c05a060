/** The tables of platform billing: checkouts, the outbox of calls to Stripe, charges, the ledger, and the inbox of Stripe's events. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../../storage/columns.ts";
import { checkoutStatuses, ledgerKinds, stripeCallKinds } from "../../../vocabulary/states.ts";
import { App } from "../../apps/app.entity.ts";
import { AppSubscription } from "../billing.entity.ts";

/** A checkout session: recorded before the call to Stripe. At most one is open per subscription. */
export const PlatformCheckout = defineEntity({
  name: "PlatformCheckout",
  tableName: "platform_checkouts",
  indexes: [{ name: "platform_checkouts_of_subscription", properties: ["appSubscription", "id"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    /** The idempotency key, which the metadata of the subscription carries as well. */
    key: p.text().unique("platform_checkouts_key"),
    appSubscription: () => p.manyToOne(AppSubscription).deleteRule("cascade").index(false),
    /** Not a foreign key: pending installs are deleted after a day. */
    pendingInstallId: p.type(Integer),
    status: p.enum(checkoutStatuses),
    priceCents: p.type(Integer),
    trialDays: p.type(Integer),
    sessionId: p.text().nullable().unique("platform_checkouts_session"),
    /** Stripe's id of the subscription that the checkout created. */
    subscriptionId: p.text().nullable().unique("platform_checkouts_began"),
    createdAt: p.datetime(3),
  },
});

/** The transactional outbox of calls to Stripe: recorded in the transaction that needs the call, done after Stripe's response. */
export const StripeCall = defineEntity({
  name: "StripeCall",
  tableName: "stripe_calls",
  indexes: [
    { name: "stripe_calls_of_subscription", properties: ["appSubscriptionId", "id"] },
    { name: "stripe_calls_of_charge", properties: ["chargeId", "id"] },
    {
      name: "stripe_calls_due",
      expression:
        'create index "stripe_calls_due" on "stripe_calls" ("due_at", "id") where "done_at" is null and "failed_at" is null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    kind: p.enum(stripeCallKinds),
    /** The idempotency key. */
    key: p.text().unique("stripe_calls_key"),
    /** Not foreign keys: those would lock rows against the lock order. `chargeId` is null for calls about no charge. */
    appSubscriptionId: p.type(Integer),
    chargeId: p.type(Integer).nullable(),
    /** Of a reversal: the transfer that gives back. Of a refund: the one that Stripe reverses with it; null if the service reverses it afterwards. */
    transferId: p.text().nullable(),
    /** Stripe's id of the object that the call is about. */
    subject: p.text(),
    amountCents: p.type(Integer).nullable(),
    reason: p.text().nullable(),
    intendedAt: p.datetime(3),
    /** When the duty performs it; for a refund, after the lease of the process that recorded it. */
    dueAt: p.datetime(3),
    attempts: p.type(Integer).default(0),
    /** Of a price change: when the payer was mailed; it is then due after the notice period. */
    notifiedAt: p.datetime(3).nullable(),
    doneAt: p.datetime(3).nullable(),
    /** When Stripe refused it permanently, or when its reason was gone: a later price, an ended subscription. */
    failedAt: p.datetime(3).nullable(),
    /** Stripe's id of the object that the call created. */
    result: p.text().nullable(),
    error: p.text().nullable(),
  },
});

export const PlatformCharge = defineEntity({
  name: "PlatformCharge",
  tableName: "platform_charges",
  indexes: [
    { name: "platform_charges_of_subscription", properties: ["appSubscription", "id"] },
    { name: "platform_charges_of_app", properties: ["app", "id"] },
    { name: "platform_charges_by_time", properties: ["chargedAt", "id"] },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    stripeId: p.text().unique("platform_charges_stripe_id"),
    app: () => p.manyToOne(App).deleteRule("restrict").index(false),
    appSubscription: () => p.manyToOne(AppSubscription).deleteRule("restrict").index(false),
    /** Stripe's ids of the transfer to the app's owner and of the account that it went to. */
    transferId: p.text(),
    destination: p.text(),
    amountCents: p.type(Integer),
    /** The sum of refunds, reserved ones included, and of disputes that are not won. Changed only under the row's lock. */
    takenCents: p.type(Integer).default(0),
    chargedAt: p.datetime(3),
  },
});

/** The append-only double-entry ledger: each movement of money at Stripe, once by Stripe's id. */
export const LedgerEntry = defineEntity({
  name: "LedgerEntry",
  tableName: "ledger_entries",
  indexes: [
    { name: "ledger_entries_of_app", properties: ["appId", "period", "kind", "amountCents"] },
    { name: "ledger_entries_of_charge", properties: ["charge", "id"] },
    { name: "ledger_entries_by_time", properties: ["occurredAt", "id"] },
  ],
  uniques: [{ name: "ledger_entries_once", properties: ["stripeId", "kind"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    kind: p.enum(ledgerKinds),
    stripeId: p.text(),
    /** The app of the charge. Not a foreign key: the charge's own prevents the deletion of the app. */
    appId: p.type(Integer),
    charge: () => p.manyToOne(PlatformCharge).deleteRule("restrict").index(false),
    amountCents: p.type(Integer),
    /** The UTC month, as 202611. */
    period: p.type(Integer),
    /** The time at Stripe. */
    occurredAt: p.datetime(3),
    recordedAt: p.datetime(3),
  },
});

/** A verified webhook event: stored once by its id, and applied by a duty, which reads the object from Stripe. */
export const StripeEvent = defineEntity({
  name: "StripeEvent",
  tableName: "stripe_events",
  indexes: [
    {
      name: "stripe_events_due",
      expression: 'create index "stripe_events_due" on "stripe_events" ("due_at", "id") where "applied_at" is null',
    },
    { name: "stripe_events_applied", properties: ["appliedAt"] },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    stripeId: p.text().unique("stripe_events_stripe_id"),
    type: p.text(),
    /** Stripe's id of the object to read. */
    subject: p.text(),
    createdAt: p.datetime(3),
    receivedAt: p.datetime(3),
    dueAt: p.datetime(3),
    attempts: p.type(Integer).default(0),
    appliedAt: p.datetime(3).nullable(),
    error: p.text().nullable(),
  },
});
