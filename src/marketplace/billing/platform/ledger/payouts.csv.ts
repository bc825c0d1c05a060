/** Payouts as CSV: amounts in cents, one line per app and month. */
import { escapeFormula } from "../../../../kit/csv/csv-formulas.ts";
import { toCsvLine } from "../../../../kit/csv/csv-line.ts";
import type { PayoutView } from "./payouts.view.ts";

const columns = [
  "app",
  "client_id",
  "period",
  "currency",
  "gross_cents",
  "refunds_cents",
  "disputes_cents",
  "net_cents",
  "transferred_cents",
];

export function toPayoutsCsv(payouts: readonly PayoutView[]): string {
  const records = payouts.map(({ app, ...payout }) => [
    escapeFormula(app.name),
    app.client_id,
    ...Object.values(payout),
  ]);
  return [columns, ...records].map((record) => toCsvLine(record)).join("");
}
