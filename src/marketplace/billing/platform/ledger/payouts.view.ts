/** The representation of an app's earnings in a month in `crm billing payouts`. */
import { z } from "zod";

const payoutView = z
  .object({
    app: z.object({ name: z.string(), client_id: z.string() }),
    period: z.string().describe("A UTC month, such as 2026-11."),
    currency: z.literal("usd"),
    gross_cents: z.int().describe("What customers paid."),
    refunds_cents: z
      .int()
      .describe("What was refunded to them in the month, whenever they had paid, less refunds that failed."),
    disputes_cents: z.int().describe("What disputes took, less those that were won."),
    net_cents: z.int().describe("gross − refunds − disputes."),
    transferred_cents: z.int().describe("What Stripe transferred to the owner's account, less reversals."),
  })
  .meta({ id: "Payout", description: "What the owner of an app earned in a month." });

export const payoutListView = z.array(payoutView);
export type PayoutView = z.output<typeof payoutView>;

export interface PayoutRow {
  readonly app_name: string;
  readonly client_id: string;
  readonly period: number;
  readonly gross: number;
  readonly refunds: number;
  readonly disputes: number;
  readonly transferred: number;
}

export function toPayout(row: PayoutRow): PayoutView {
  const { gross, refunds, disputes } = row;
  const digits = String(row.period);
  return {
    app: { name: row.app_name, client_id: row.client_id },
    period: `${digits.slice(0, 4)}-${digits.slice(4)}`,
    currency: "usd",
    gross_cents: gross,
    refunds_cents: refunds,
    disputes_cents: disputes,
    net_cents: gross - refunds - disputes,
    transferred_cents: row.transferred,
  };
}
