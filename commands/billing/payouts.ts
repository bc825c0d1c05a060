/** `crm billing payouts`: lists monthly earnings per app. */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { showCents } from "../../terminal/output/money.ts";
import { table } from "../../terminal/output/table.ts";

const columns = ["period", "app", "gross", "refunds", "disputes", "net", "transferred"] as const;

export default class BillingPayouts extends CrmCommand {
  static override description = `Lists what the apps of a workspace earned by platform billing, by UTC month.

The net is what customers paid, less refunds and disputes; Stripe transfers it in full to the account of the app's owner. A refund counts in the
month in which it was made.`;
  static override jsonResult =
    "[{app: {name, client_id}, period, currency, gross_cents, refunds_cents, disputes_cents, net_cents, transferred_cents}]";
  static override examples = [
    "<%= config.bin %> billing payouts",
    "<%= config.bin %> billing payouts --month 2026-11 --app crm_app_4fZk --json",
    "<%= config.bin %> billing payouts --csv > payouts.csv",
  ];
  static override flags = {
    ...workspaceFlag,
    app: Flags.string({ description: "Only this app.", helpValue: "CLIENT_ID" }),
    month: Flags.string({ description: "Only this UTC month.", helpValue: "YYYY-MM" }),
    csv: Flags.boolean({ description: "Print CSV, amounts in cents.", exclusive: ["json"] }),
  };

  async run(): Promise<unknown> {
    const { flags } = await this.parse(BillingPayouts);
    const { listPayouts } = await import("../../src/marketplace/billing/platform/platform.operations.ts");
    const payouts = await this.carryOut(listPayouts, flags, { query: { app: flags.app, month: flags.month } });
    if (flags.csv) {
      const { toPayoutsCsv } = await import("../../src/marketplace/billing/platform/ledger/payouts.csv.ts");
      this.log(toPayoutsCsv(payouts).trimEnd());
      return payouts;
    }
    const rows = payouts.map(({ app, period, ...cents }) => ({
      period,
      app: app.name,
      gross: showCents(cents.gross_cents),
      refunds: showCents(cents.refunds_cents),
      disputes: showCents(cents.disputes_cents),
      net: showCents(cents.net_cents),
      transferred: showCents(cents.transferred_cents),
    }));
    this.log(
      table(rows, columns, {
        cuts: ["app"],
        none: "No payouts yet. Charges of apps with platform billing bring them.",
      }),
    );
    return payouts;
  }
}
