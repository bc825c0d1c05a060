/** `crm billing ledger` */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { countFlag, placeFlag, workspaceFlag } from "../../terminal/input/flags.ts";
import { paidBy, showCents } from "../../terminal/output/money.ts";
import { table } from "../../terminal/output/table.ts";

export default class BillingLedger extends CrmCommand {
  static override description = `Lists what was reported of payments: for the apps that a workspace makes, and for those that it pays itself.

The reports stand by subscription, the newest subscription first, and those of one by their arrival, the newest first. Reports are never
changed; the latest decides how a subscription stands (crm billing subscriptions).`;
  static override examples = [
    "<%= config.bin %> billing ledger",
    "<%= config.bin %> billing ledger --app crm_app_4fZk --location 1 --limit 1000 --json",
  ];
  static override flags = {
    ...workspaceFlag,
    app: Flags.string({ description: "Only what was reported for this app.", helpValue: "CLIENT_ID" }),
    location: placeFlag({ description: "Only what this location pays for itself." }),
    limit: countFlag(100_000, { description: "How many at the most.", default: 200 }),
  };

  async run(): Promise<unknown> {
    const { flags } = await this.parse(BillingLedger);
    return this.inWorkspace(flags, async (caller, service) => {
      const [{ listLedger }, { allPages }, { findLocation }] = await Promise.all([
        import("../../src/marketplace/billing/billing.operations.ts"),
        import("../../src/kit/page.ts"),
        import("../../terminal/input/choosing/choose-place.ts"),
      ]);
      const { app, location } = flags;
      const payer = location === undefined ? undefined : (await findLocation(service, location)).id;
      const narrowing = { app, paying_location_id: payer };
      const reports = await allPages(
        (page) => service.carryOut(listLedger, caller, { query: { ...narrowing, ...page } }),
        flags.limit,
      );
      const rows = reports.map((report) => ({
        ...report,
        app: report.app.name,
        paid_by: paidBy(report),
        amount: `USD ${showCents(report.amount_cents)}`,
      }));
      const columns = ["received_at", "app", "paid_by", "status", "amount", "payment_type", "payment_id"] as const;
      this.log(
        table(rows, columns, {
          cuts: ["app", "payment_id"],
          none: "No reports yet. An app reports payments: crm billing report",
        }),
      );
      return reports;
    });
  }
}
