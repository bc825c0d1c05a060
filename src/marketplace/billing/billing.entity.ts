/** The tables of billing: pending installs, the subscription of each location or company to an app, and the ledger of payment reports. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Location } from "../../tenancy/locations/location.entity.ts";
import { User } from "../../tenancy/users/user.entity.ts";
import { Workspace } from "../../tenancy/workspaces/workspace.entity.ts";
import { paymentStatuses, paymentTypes } from "../../vocabulary/states.ts";
import type { SubscriptionStatus } from "../../vocabulary/states.ts";
import { App } from "../apps/app.entity.ts";

/** A pending install: a consent that waits for its payment, until the browser returns from the payment page or it expires. */
export const PendingInstall = defineEntity({
  name: "PendingInstall",
  tableName: "pending_installs",
  indexes: [
    { name: "pending_installs_of_user", properties: ["user", "id"] },
    { name: "pending_installs_of_app", properties: ["app"] },
    { name: "pending_installs_of_location", properties: ["location"] },
    { name: "pending_installs_by_end", properties: ["expiresAt"] },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    /** The hash of the token in its return_url. */
    hash: p.text().unique("pending_installs_hash"),
    app: () => p.manyToOne(App).deleteRule("cascade"),
    /** The user who consented; no other user can finish the install. */
    user: () => p.manyToOne(User).deleteRule("cascade").index(false),
    location: () => p.manyToOne(Location).deleteRule("cascade"),
    redirectUri: p.text(),
    /** A JSON list of scope names. */
    scopes: p.text(),
    /** As JSON: it is returned unchanged, and may contain characters that a PostgreSQL text cannot store (NUL). */
    state: p.text().nullable(),
    codeChallenge: p.text().nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
});

/** The subscription of a location or a company (a workspace) to an app, with its deciding report: the latest by the time of the payment. */
export const AppSubscription = defineEntity({
  name: "AppSubscription",
  tableName: "app_subscriptions",
  indexes: [
    { name: "app_subscriptions_of_app", properties: ["app", "id"] },
    { name: "app_subscriptions_of_workspace", properties: ["workspace", "id"] },
    // A unique index treats nulls as distinct, so this one does not constrain companies.
    {
      name: "app_subscriptions_of_location",
      expression:
        'create unique index "app_subscriptions_of_location" on "app_subscriptions" ("location_id", "app_id")',
    },
    {
      name: "app_subscriptions_of_company",
      expression:
        'create unique index "app_subscriptions_of_company" on "app_subscriptions" ("workspace_id", "app_id") where "location_id" is null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    app: () => p.manyToOne(App).deleteRule("cascade").index(false),
    /** The company that pays, or that the location belongs to. */
    workspace: () => p.manyToOne(Workspace).deleteRule("cascade").index(false),
    /** Null: the company pays for all of its locations. */
    location: () => p.manyToOne(Location).nullable().deleteRule("cascade").index(false),
    /** External billing: the values of the deciding report; null before the first. */
    paymentStatus: p.enum(paymentStatuses).nullable(),
    amountCents: p.type(Integer).nullable(),
    paymentId: p.text().nullable(),
    /** The app's own id of the subscription. */
    subscriptionId: p.text().nullable(),
    /** When the last report arrived, whether it decided or not. */
    lastReportAt: p.datetime(3).nullable(),
    /** The time of the deciding report: its occurredAt, or else its arrival. */
    decidedAt: p.datetime(3).nullable(),
    /** Platform billing: the state of the subscription at Stripe, as last read. */
    stripeId: p.text().nullable().unique("app_subscriptions_stripe_id"),
    customerId: p.text().nullable(),
    stripeStatus: p.text().$type<SubscriptionStatus>().nullable(),
    priceCents: p.type(Integer).nullable(),
    periodEndsAt: p.datetime(3).nullable(),
    pastDueSince: p.datetime(3).nullable(),
    /** When the read of these values began; the version of the row: an older read does not overwrite a newer one. */
    readAt: p.datetime(3).nullable(),
    /** When the app was uninstalled; cleared by the next report, and with platform billing by the next install. */
    canceledAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});

/** The append-only ledger of external billing: every report in the order of arrival. */
export const BillingReport = defineEntity({
  name: "BillingReport",
  tableName: "billing_reports",
  indexes: [{ name: "billing_reports_of_subscription", properties: ["appSubscription", "id"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    appSubscription: () => p.manyToOne(AppSubscription).deleteRule("cascade").index(false),
    status: p.enum(paymentStatuses),
    amountCents: p.type(Integer),
    paymentType: p.enum(paymentTypes),
    paymentId: p.text().nullable(),
    subscriptionId: p.text().nullable(),
    /** The app's own time of the payment; null if the report named none. */
    occurredAt: p.datetime(3).nullable(),
    receivedAt: p.datetime(3),
  },
});
