/** The representation of a payer's subscription to an app in `crm billing subscriptions`. */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { toNullableTimestamp } from "../../kit/time/timestamp.ts";
import { subscriptionStatuses } from "../../vocabulary/states.ts";
import type { PaymentStatus, SubscriptionStatus } from "../../vocabulary/states.ts";

/** The app and the payer. */
export const soldView = z.object({
  app: z.object({ name: z.string(), client_id: z.string() }),
  location_id: z.int().nullable().describe("The location that pays for itself; null where a company pays."),
  company_id: z
    .int()
    .nullable()
    .describe("The workspace that pays for all of its locations; null where a location pays."),
});

type Sold = z.output<typeof soldView>;

export interface SoldRow {
  readonly app_name: string;
  readonly client_id: string;
  readonly workspace_id: number;
  readonly location_id: number | null;
}

const subscriptionView = soldView
  .extend({
    status: z.enum(subscriptionStatuses),
    amount_cents: z.int().nullable().describe("Of the latest report, or the price of a month; null before the first."),
    next_amount_cents: z.int().nullable().describe("The price that replaces it; null unless one is announced."),
    next_amount_from: z.iso
      .datetime()
      .nullable()
      .describe("Payments after this time have the new price; null until the payer is notified."),
    subscription_id: z.string().nullable().describe("The app's own, as it was last given, or Stripe's."),
    last_report_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Subscription", description: "How an app stands with a location or a company that pays for it." });

export const subscriptionListView = pageOf(subscriptionView).meta({
  id: "SubscriptionList",
  description: "A page of subscriptions, oldest first.",
});

export type SubscriptionView = z.output<typeof subscriptionView>;

/** The columns from which the status is derived. */
export interface SubscriptionState {
  readonly payment_status: PaymentStatus | null;
  readonly canceled_at: number | null;
  /** Null without platform billing. */
  readonly stripe_status: SubscriptionStatus | null;
}

export interface SubscriptionRow extends SubscriptionState, SoldRow {
  readonly id: number;
  readonly amount_cents: number | null;
  /** The pending price change. */
  readonly next_cents: number | null;
  readonly next_due_at: number | null;
  readonly notified_at: number | null;
  readonly subscription_id: string | null;
  readonly last_report_at: number | null;
}

/** Derives the status (Resources, "Subscription status of an app at a location"): an uninstall comes first, then Stripe, then the latest report. */
export function statusOf({ payment_status, canceled_at, stripe_status }: SubscriptionState): SubscriptionStatus {
  if (canceled_at !== null) return "canceled";
  if (stripe_status !== null) return stripe_status;
  if (payment_status === null) return "incomplete";
  return payment_status === "COMPLETED" ? "active" : "past_due";
}

export function toSold({ app_name, client_id, workspace_id, location_id }: SoldRow): Sold {
  return {
    app: { name: app_name, client_id },
    location_id,
    company_id: location_id === null ? workspace_id : null,
  };
}

export function toSubscription(row: SubscriptionRow): SubscriptionView {
  const status = statusOf(row);
  const isChanging = status !== "canceled" && row.next_cents !== row.amount_cents;
  return {
    ...toSold(row),
    status,
    amount_cents: row.amount_cents,
    next_amount_cents: isChanging ? row.next_cents : null,
    next_amount_from: toNullableTimestamp(isChanging && row.notified_at !== null ? row.next_due_at : null),
    subscription_id: row.subscription_id,
    last_report_at: toNullableTimestamp(row.last_report_at),
  };
}
