/** The representation of a payment report in `crm billing ledger`. */
import { z } from "zod";
import { pageOf } from "../../../kit/page-shapes.ts";
import { toNullableTimestamp, toTimestamp } from "../../../kit/time/timestamp.ts";
import { paymentStatuses, paymentTypes } from "../../../vocabulary/states.ts";
import type { PaymentStatus, PaymentType } from "../../../vocabulary/states.ts";
import { soldView, toSold } from "../subscription.view.ts";
import type { SoldRow } from "../subscription.view.ts";

const ledgerEntryView = soldView
  .extend({
    id: z.int(),
    status: z.enum(paymentStatuses),
    amount_cents: z.int(),
    payment_type: z.enum(paymentTypes),
    payment_id: z.string().nullable().describe("The app's own."),
    subscription_id: z.string().nullable().describe("The app's own."),
    occurred_at: z.iso.datetime().nullable().describe("The app's own time of the payment."),
    received_at: z.iso.datetime(),
  })
  .meta({ id: "LedgerEntry", description: "A report of a payment." });

export const ledgerView = pageOf(ledgerEntryView).meta({
  id: "Ledger",
  description: "A page of reports of payments, by subscription, newest first.",
});

export type LedgerEntryView = z.output<typeof ledgerEntryView>;

export interface LedgerRow extends SoldRow {
  readonly id: number;
  readonly app_subscription_id: number;
  readonly status: PaymentStatus;
  readonly amount_cents: number;
  readonly payment_type: PaymentType;
  readonly payment_id: string | null;
  readonly subscription_id: string | null;
  readonly occurred_at: number | null;
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
    occurred_at: toNullableTimestamp(row.occurred_at),
    received_at: toTimestamp(row.received_at),
  };
}
