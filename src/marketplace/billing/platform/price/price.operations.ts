/** The operation that applies a changed price to existing subscriptions. */
import { z } from "zod";
import { lockedByChange, operation } from "../../../../operation/operation.ts";
import { findApp } from "../../../apps/app.queries.ts";
import * as prices from "./price.service.ts";

export const changeExistingPrices = operation({
  name: "changeExistingPrices",
  summary: "Applies the price of an app to its existing subscriptions, 30 days after their payers are notified.",
  noun: "Apps",
  within: "workspace",
  /** Prices of other people's subscriptions: payments belong to the owners of the workspace. */
  may: { scope: "none", role: "owner" },
  find: { app: lockedByChange(findApp) },
  gives: z
    .object({
      price_cents: z.int().nullable().describe("Null for an app without platform billing."),
      subscriptions: z.int().describe("How many will change; those that have the price already are not counted."),
    })
    .meta({ id: "PriceChange", description: "A price change of existing subscriptions." }),
  audit: "found",
  change: (change, { app }) => prices.changeExistingPrices(change, app.id),
});
