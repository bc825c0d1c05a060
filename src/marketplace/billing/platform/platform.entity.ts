/** The tables of platform billing: checkouts, calls to Stripe, charges, the ledger, and the events that Stripe's webhooks brought. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../../storage/columns.ts";
import { checkoutStatuses, ledgerKinds, stripeCallKinds } from "../../../vocabulary/states.ts";
import { App } from "../../apps/app.entity.ts";
import { AppSubscription } from "../billing.entity.ts";

/** A checkout session: written down before Stripe is asked for it. Of one subscription at most one is open. */
export const PlatformCheckout = defineEntity({
  name: "PlatformCheckout",
  tableName: "platform_checkouts",
  indexes: [{ name: "platform_checkouts_of_subscription", properties: ["appSubscription", "id"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    /** The idempotency key, which the metadata of the subscription carries as well. */
    key: p.text().unique("platform_checkouts_key"),
    appSubscription: () => p.manyToOne(AppSubscription).deleteRule("cascade").index(false),
    /** A plain id: installs that wait for a payment are forgotten after a day. */
    pendingInstallId: p.type(Integer),
    status: p.enum(checkoutStatuses),
    priceCents: p.type(Integer),
    trialDays: p.type(Integer),
    sessionId: p.text().nullable().unique("platform_checkouts_session"),
    /** Stripe's id of the subscription that it began. */
    subscriptionId: p.text().nullable().unique("platform_checkouts_began"),
    createdAt: p.datetime(3),
  },
});

/** What Stripe is asked for after a commit: written down before (intended) and after (done); a duty carries out what a crash left. */
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
    /** Plain ids: a foreign key would lock rows against the order of locks. The second is of what concerns a charge. */
    appSubscriptionId: p.type(Integer),
    chargeId: p.type(Integer).nullable(),
    /** Stripe's id of what the call is about. */
    subject: p.text(),
    amountCents: p.type(Integer).nullable(),
    reason: p.text().nullable(),
    intendedAt: p.datetime(3),
    /** When a duty may carry it out: after the one who wrote it has had the time to. */
    dueAt: p.datetime(3),
    attempts: p.type(Integer).default(0),
    doneAt: p.datetime(3).nullable(),
    /** When Stripe refused it for good. */
    failedAt: p.datetime(3).nullable(),
    /** Stripe's id of what came of it. */
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
    /** What refunds and lost disputes took, those intended included: held while a refund is judged. */
    takenCents: p.type(Integer).default(0),
    chargedAt: p.datetime(3),
  },
});

/** The ledger: what Stripe moved, each once by Stripe's id. Nothing here is changed or deleted. */
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
    /** Of the charge, which keeps the app from being deleted. */
    appId: p.type(Integer),
    charge: () => p.manyToOne(PlatformCharge).deleteRule("restrict").index(false),
    amountCents: p.type(Integer),
    /** The UTC month, as 202611. */
    period: p.type(Integer),
    /** When it happened at Stripe. */
    occurredAt: p.datetime(3),
    recordedAt: p.datetime(3),
  },
});

/** An event of a webhook that was verified: stored once by its id, and applied by a duty. What it is about is read from Stripe. */
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
    /** Stripe's id of the object that is read anew. */
    subject: p.text(),
    createdAt: p.datetime(3),
    receivedAt: p.datetime(3),
    dueAt: p.datetime(3),
    attempts: p.type(Integer).default(0),
    appliedAt: p.datetime(3).nullable(),
    error: p.text().nullable(),
  },
});
