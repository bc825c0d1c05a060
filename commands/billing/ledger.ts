/** `crm billing ledger`: lists payment reports. */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { countFlag, idOrNameFlag, workspaceFlag } from "../../terminal/input/flags.ts";
import { paidBy, showCents } from "../../terminal/output/money.ts";
import { table } from "../../terminal/output/table.ts";

export default class BillingLedger extends CrmCommand {
  static override description = `Lists reported payments for the apps that a workspace makes, and for those that it pays itself.

Reports are sorted by subscription, newest first, then by arrival, newest first. They never change; the latest one decides the status of a subscription.`;
  static override jsonResult =
    "[{id, app: {name, client_id}, location_id, company_id, status, amount_cents, payment_type, payment_id, subscription_id, occurred_at, received_at}]; location_id or company_id is null";
  static override examples = [
    "<%= config.bin %> billing ledger",
    "<%= config.bin %> billing ledger --app crm_app_4fZk --location 1 --limit 1000 --json",
  ];
  static override flags = {
    ...workspaceFlag,
    app: Flags.string({ description: "Only reports for this app.", helpValue: "CLIENT_ID" }),
    location: idOrNameFlag({ description: "Only what this location pays for itself." }),
    limit: countFlag(100_000, { description: "How many at most.", default: 200 }),
  };

  async run(): Promise<unknown> {
    const { flags } = await this.parse(BillingLedger);
    return this.inWorkspace(flags, async (caller, service) => {
      const [{ listLedger }, { allPages }, { findLocation }] = await Promise.all([
        import("../../src/marketplace/billing/billing.operations.ts"),
        import("../../src/kit/page.ts"),
        import("../../terminal/input/choosing/choose-location.ts"),
      ]);
      const { app, location } = flags;
      const payer = location === undefined ? undefined : (await findLocation(service, location)).id;
      const filters = { app, paying_location_id: payer };
      const reports = await allPages(
        (page) => service.carryOut(listLedger, caller, { query: { ...filters, ...page } }),
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
