/** Records payment reports idempotently: each is a row of the ledger, and the latest sets the state of its subscription. Row locks serialize them. */
import { defineInsert, sendRows } from "../../../storage/inserting/insert.ts";
import type { Writer } from "../../../storage/rows.ts";
import type { Payer } from "../payer.ts";
import type { Report } from "./report.input.ts";

/**
 * Writes the state of a subscription, unless the report repeats its latest one, and locks the row until the commit: concurrent reports
 * wait, so that the ledger has the order in which the state changed. Returns no row for a repeated report.
 */
function stateText(conflict: string): string {
  return `insert into app_subscriptions as s (app_id, workspace_id, location_id, payment_status, amount_cents, payment_id,
      subscription_id, last_report_at, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?)
    on conflict ${conflict} do update set payment_status = excluded.payment_status, amount_cents = excluded.amount_cents,
      payment_id = excluded.payment_id, subscription_id = coalesce(excluded.subscription_id, s.subscription_id),
      last_report_at = excluded.last_report_at, canceled_at = null
    where excluded.payment_id is null or s.payment_id is distinct from excluded.payment_id
      or s.payment_status is distinct from excluded.payment_status
      or s.amount_cents is distinct from excluded.amount_cents
    returning id`;
}
const stateOfLocationText = stateText("(location_id, app_id)");
const stateOfCompanyText = stateText("(workspace_id, app_id) where location_id is null");

const reportInsert = defineInsert("billing_reports", [
  "app_subscription_id",
  "status",
  "amount_cents",
  "payment_type",
  "payment_id",
  "subscription_id",
  "received_at",
]);

/** Records a report. False for a duplicate: a report with the payment id, status and amount of the latest one. */
export async function receiveReport(
  change: Writer,
  appId: number,
  payer: Payer,
  report: Report,
  now: Date,
): Promise<boolean> {
  const { status, amountCents, paymentType, paymentId, subscriptionId } = report;
  const [changed] = await change.rows<{ id: number }>(
    payer.locationId === null ? stateOfCompanyText : stateOfLocationText,
    [appId, payer.workspaceId, payer.locationId, status, amountCents, paymentId, subscriptionId, now, now],
  );
  if (changed === undefined) return false;
  sendRows(change, reportInsert, [
    {
      app_subscription_id: changed.id,
      status,
      amount_cents: amountCents,
      payment_type: paymentType,
      payment_id: paymentId,
      subscription_id: subscriptionId,
      received_at: now,
    },
  ]);
  return true;
}
