/** Records payment reports idempotently: each is a row of the ledger, and the latest payment decides the state of its subscription. */
import { defineInsert, sendRows } from "../../../storage/inserting/insert.ts";
import type { Writer } from "../../../storage/rows.ts";
import type { PaymentStatus } from "../../../vocabulary/states.ts";
import type { Payer } from "../payer.ts";
import { watchSubscriptions } from "../subscription-news.ts";
import { lockSubscription } from "../subscription.service.ts";
import type { Report } from "./report.input.ts";

const latestText = `select status, amount_cents, payment_id, occurred_at from billing_reports
  where app_subscription_id = ? order by id desc limit 1`;

/**
 * A payment whose time is before the uninstall does not end the cancellation, nor does one beside a subscription at Stripe: that resumes by an
 * install.
 */
const decideText = `update app_subscriptions set payment_status = ?, amount_cents = ?, payment_id = ?,
    subscription_id = coalesce(?, subscription_id), last_report_at = ?, decided_at = ?,
    canceled_at = case when canceled_at > ? or stripe_status in ('trialing', 'active', 'past_due') then canceled_at end
  where id = ?`;
const keepText = `update app_subscriptions set subscription_id = coalesce(subscription_id, ?), last_report_at = ? where id = ?`;

const reportInsert = defineInsert("billing_reports", [
  "app_subscription_id",
  "status",
  "amount_cents",
  "payment_type",
  "payment_id",
  "subscription_id",
  "occurred_at",
  "received_at",
]);

/**
 * Records a report. False for a duplicate: a report with the payment id, status, amount and time of the one that arrived last. A report
 * whose payment is older than that of the deciding report is only stored; one without a time decides. The lock on the subscription
 * serializes concurrent reports, so that the ledger has their order.
 */
export async function receiveReport(
  change: Writer,
  appId: number,
  payer: Payer,
  report: Report,
  now: Date,
): Promise<boolean> {
  const { status, amountCents, paymentType, paymentId, subscriptionId, occurredAt } = report;
  const { id, decidedAt } = await lockSubscription(change, appId, payer, now);
  const tellChanges = await watchSubscriptions(change, { appId, ...payer });
  const [latest] = await change.rows<LatestRow>(latestText, [id]);
  if (latest !== undefined && repeats(report, latest)) return false;
  if (occurredAt !== null && decidedAt !== null && occurredAt.getTime() < decidedAt) {
    change.send(keepText, [subscriptionId, now, id]);
  } else {
    const time = occurredAt ?? now;
    change.send(decideText, [status, amountCents, paymentId, subscriptionId, now, time, occurredAt, id]);
  }
  sendRows(change, reportInsert, [
    {
      app_subscription_id: id,
      status,
      amount_cents: amountCents,
      payment_type: paymentType,
      payment_id: paymentId,
      subscription_id: subscriptionId,
      occurred_at: occurredAt,
      received_at: now,
    },
  ]);
  await tellChanges(now);
  return true;
}

interface LatestRow {
  readonly status: PaymentStatus;
  readonly amount_cents: number;
  readonly payment_id: string | null;
  readonly occurred_at: number | null;
}

function repeats({ status, amountCents, paymentId, occurredAt }: Report, latest: LatestRow): boolean {
  return (
    paymentId !== null &&
    latest.payment_id === paymentId &&
    latest.status === status &&
    latest.amount_cents === amountCents &&
    latest.occurred_at === (occurredAt?.getTime() ?? null)
  );
}
