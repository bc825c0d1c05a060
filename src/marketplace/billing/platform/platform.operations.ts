/** The operations of platform billing: what app owners earn. */
import { z } from "zod";
import { filledText } from "../../../kit/input/fields.ts";
import { operation } from "../../../operation/operation.ts";
import * as payouts from "./ledger/payouts.queries.ts";
import { payoutListView } from "./ledger/payouts.view.ts";

/** What is paid and earned concerns the whole workspace. */
const may = { scope: "none", role: "owner" } as const;

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: "must be a month such as 2026-11." });

export const listPayouts = operation({
  name: "listPayouts",
  summary: "Lists what the apps of the workspace earned by platform billing, by month.",
  noun: "Billing",
  within: "workspace",
  may,
  query: z.object({
    app: filledText().describe("The client id of an app.").optional(),
    month: month.describe("A UTC month, such as 2026-11.").optional(),
  }),
  gives: payoutListView,
  read: (reader, { query }) => payouts.listPayouts(reader, query),
});
