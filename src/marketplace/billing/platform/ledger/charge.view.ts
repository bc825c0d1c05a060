/** The representations of a charge and a refund of an app with platform billing, for the owner of the app. */
import { z } from "zod";
import { pageOf } from "../../../../kit/page-shapes.ts";
import { toTimestamp } from "../../../../kit/time/timestamp.ts";
import { soldView, toSold } from "../../subscription.view.ts";
import type { SoldRow } from "../../subscription.view.ts";

export const chargeView = soldView
  .extend({
    id: z.int(),
    stripe_id: z.string(),
    currency: z.literal("usd"),
    amount_cents: z.int(),
    left_cents: z.int().describe("What can still be refunded: the amount less refunds and disputes."),
    charged_at: z.iso.datetime(),
  })
  .meta({ id: "Charge", description: "A charge of an app with platform billing." });

export const chargeListView = pageOf(chargeView).meta({
  id: "ChargeList",
  description: "A page of charges, newest first.",
});

export const refundView = z
  .object({
    id: z.string().nullable().describe("Stripe's; null while it is pending."),
    charge: z.string(),
    status: z
      .enum(["succeeded", "pending"])
      .describe("`pending` where Stripe could not be reached: it is tried again."),
    amount_cents: z.int(),
    left_cents: z.int(),
  })
  .meta({ id: "Refund", description: "A refund of a charge." });

export type ChargeView = z.output<typeof chargeView>;
export type RefundView = z.output<typeof refundView>;

export interface ChargeRow extends SoldRow {
  readonly id: number;
  readonly stripe_id: string;
  readonly amount_cents: number;
  readonly taken_cents: number;
  readonly charged_at: number;
}

export function toCharge(row: ChargeRow): ChargeView {
  return {
    id: row.id,
    ...toSold(row),
    stripe_id: row.stripe_id,
    currency: "usd",
    amount_cents: row.amount_cents,
    left_cents: row.amount_cents - row.taken_cents,
    charged_at: toTimestamp(row.charged_at),
  };
}
