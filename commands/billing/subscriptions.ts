/** `crm billing subscriptions`: lists subscriptions to apps, paid and sold. */
import { CrmCommand } from "../../terminal/command.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { paidBy, showCents } from "../../terminal/output/money.ts";
import { table } from "../../terminal/output/table.ts";

export default class BillingSubscriptions extends CrmCommand {
  static override description = `Lists the subscriptions to the apps that a workspace makes, and those that it pays itself.

The status is incomplete before the first report, then active or past_due as the latest report says, and canceled after the app was uninstalled.`;
  static override jsonResult =
    "[{app: {name, client_id}, location_id, company_id, status, amount_cents, next_amount_cents, next_amount_from, subscription_id, last_report_at}]; location_id or company_id is null";
  static override examples = [
    "<%= config.bin %> billing subscriptions",
    "<%= config.bin %> billing subscriptions --workspace 1 --json",
  ];
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { flags } = await this.parse(BillingSubscriptions);
    const { listSubscriptions } = await import("../../src/marketplace/billing/billing.operations.ts");
    const subscriptions = await this.listAll(listSubscriptions, flags);
    const rows = subscriptions.map(({ app, amount_cents, next_amount_cents, next_amount_from, ...subscription }) => ({
      ...subscription,
      app: app.name,
      paid_by: paidBy(subscription),
      amount: amount_cents === null ? null : `USD ${showCents(amount_cents)}`,
      next:
        next_amount_cents === null
          ? null
          : `USD ${showCents(next_amount_cents)}, ${next_amount_from === null ? "unannounced" : `after ${next_amount_from.slice(0, 10)}`}`,
    }));
    const isChanging = rows.some(({ next }) => next !== null);
    const columns = [
      "app",
      "paid_by",
      "status",
      "amount",
      ...(isChanging ? (["next"] as const) : []),
      "subscription_id",
      "last_report_at",
    ] as const;
    this.log(
      table(rows, columns, {
        cuts: ["app", "subscription_id"],
        none: "No subscriptions yet. An app that is paid for brings them: crm apps create NAME --billing external",
      }),
    );
    return subscriptions;
  }
}
