/** How an app stands with whoever pays for it, as `crm billing subscriptions` shows it. */
import { toNullableTimestamp } from "../../kit/time/timestamp.ts";
import type { PaymentStatus, SubscriptionStatus } from "../../vocabulary/states.ts";

/** What is paid for, and by whom. */
export interface Sold {
  readonly app: { readonly name: string; readonly client_id: string };
  /** One of both is null: a location pays for itself, or a company, which is a workspace, for all of its own. */
  readonly location_id: number | null;
  readonly company_id: number | null;
}

export interface SoldRow {
  readonly app_name: string;
  readonly client_id: string;
  readonly workspace_id: number;
  readonly location_id: number | null;
}

export interface SubscriptionView extends Sold {
  readonly status: SubscriptionStatus;
  /** The following are of the latest report; null before the first. */
  readonly amount_cents: number | null;
  /** The app's own, as it was last given. */
  readonly subscription_id: string | null;
  readonly last_report_at: string | null;
}

/** What the status follows from. */
interface SubscriptionState {
  readonly payment_status: PaymentStatus | null;
  readonly canceled_at: number | null;
}

export interface SubscriptionRow extends SubscriptionState, SoldRow {
  readonly id: number;
  readonly amount_cents: number | null;
  readonly subscription_id: string | null;
  readonly last_report_at: number | null;
}

/** Resources, "Subscription status of an app at a location": the latest report decides, or the uninstall after it. */
function statusOf({ payment_status, canceled_at }: SubscriptionState): SubscriptionStatus {
  if (canceled_at !== null) return "canceled";
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
  return {
    ...toSold(row),
    status: statusOf(row),
    amount_cents: row.amount_cents,
    subscription_id: row.subscription_id,
    last_report_at: toNullableTimestamp(row.last_report_at),
  };
}
