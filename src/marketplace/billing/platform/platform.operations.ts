/** The operations of platform billing: payouts, charges, refunds and reconciliation. */
import { z } from "zod";
import { filledText } from "../../../kit/input/fields.ts";
import { pageQuery } from "../../../kit/page-shapes.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { lockedByChange, operation } from "../../../operation/operation.ts";
import * as charges from "./ledger/charge.queries.ts";
import { chargeListView, chargeView, refundView } from "./ledger/charge.view.ts";
import { refundCharge as refund } from "./ledger/refund.service.ts";
import { depsOfCaller } from "./platform-deps.ts";
import { reconcile } from "./reconcile/reconcile.ts";
import * as payouts from "./ledger/payouts.queries.ts";
import { payoutListView } from "./ledger/payouts.view.ts";

/** Payments and earnings are data of the whole workspace, so only its owners see them. */
const may = { scope: "none", role: "owner" } as const;

const reconcileView = z
  .object({
    events: z.int(),
    subscriptions: z.int(),
    charges: z.int(),
    refunds: z.int(),
    disputes: z.int(),
    transfers: z.int(),
    added: z.array(z.string()).describe("Stripe's ids of what was missing here, and is written now."),
    unknown: z.array(z.string()).describe("Stripe's ids of what is in the ledger and not at Stripe."),
    unrecorded: z
      .array(z.string())
      .describe("Stripe's ids of transfers to owners, and of reversals, that are at Stripe and not in the ledger."),
  })
  .meta({ id: "Reconciliation", description: "What was read at Stripe, and what differed." });

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: "must be a month such as 2026-11." });

export const listPayouts = operation({
  name: "listPayouts",
  summary: "Lists what the apps of the workspace earned by platform billing, by month.",
  noun: "Billing",
  within: "workspace",
  may,
  query: z.object({
    app: filledText().describe("The client id of an app."),
    month: month.describe("A UTC month, such as 2026-11.").optional(),
  }),
  gives: payoutListView,
  read: (reader, { query }) => payouts.listPayouts(reader, query),
});

export const listCharges = operation({
  name: "listCharges",
  summary: "Lists the charges of the apps that the workspace makes, newest first.",
  noun: "Billing",
  within: "workspace",
  may,
  query: pageQuery,
  gives: chargeListView,
  read: (reader, { query }) => charges.listCharges(reader, query),
});

export const getChargeOfApp = operation({
  name: "getChargeOfApp",
  summary: "Returns a charge of an app that the workspace makes.",
  noun: "Billing",
  within: "workspace",
  may,
  find: { charge: charges.findChargeById },
  gives: chargeView,
  read: async (_reader, { charge }) => charge,
});

export const refundCharge = operation({
  name: "refundCharge",
  summary: "Refunds a charge, in whole or in part, and takes it back from the owner of the app.",
  noun: "Billing",
  within: "workspace",
  may,
  find: { charge: lockedByChange(charges.findChargeById) },
  input: z.object({
    amount_cents: z
      .int({ error: "must be a whole number of cents." })
      .min(1)
      .max(limits.billing.priceCents.most)
      .optional(),
    left_cents: z.int().optional(),
    reason: filledText(limits.billing.refundReason),
  }),
  gives: refundView,
  audit: "found",
  steps: (caller, { charge, input }, { network }) => refund(caller, network, charge.id, input),
});

export const reconcileBilling = operation({
  name: "reconcileBilling",
  summary: "Compares the ledger and the subscriptions with Stripe, and writes what lost webhooks would have said.",
  noun: "Billing",
  within: "service",
  may: { scope: "none", role: "operator" },
  gives: reconcileView,
  steps: (caller, _given, { network }) => reconcile(depsOfCaller(caller, network)),
});
