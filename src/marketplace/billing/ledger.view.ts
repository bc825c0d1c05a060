/** A report of a payment, as `crm billing ledger` shows it. */
import { toTimestamp } from "../../kit/time/timestamp.ts";
import type { PaymentStatus, PaymentType } from "../../vocabulary/states.ts";
import { toSold } from "./subscription.view.ts";
import type { Sold, SoldRow } from "./subscription.view.ts";

export interface LedgerEntryView extends Sold {
  readonly id: number;
  readonly status: PaymentStatus;
  readonly amount_cents: number;
  readonly payment_type: PaymentType;
  /** These two are the app's own. */
  readonly payment_id: string | null;
  readonly subscription_id: string | null;
  readonly received_at: string;
}

export interface LedgerRow extends SoldRow {
  readonly id: number;
  readonly app_subscription_id: number;
  readonly status: PaymentStatus;
  readonly amount_cents: number;
  readonly payment_type: PaymentType;
  readonly payment_id: string | null;
  readonly subscription_id: string | null;
  readonly received_at: number;
}

export function toLedgerEntry(row: LedgerRow): LedgerEntryView {
  return {
    id: row.id,
    ...toSold(row),
    status: row.status,
    amount_cents: row.amount_cents,
    payment_type: row.payment_type,
    payment_id: row.payment_id,
    subscription_id: row.subscription_id,
    received_at: toTimestamp(row.received_at),
  };
}
