/** `crm billing charges`: lists the charges of a workspace's own apps. */
import { CrmCommand } from "../../terminal/command.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { paidBy, showCents } from "../../terminal/output/money.ts";
import { table } from "../../terminal/output/table.ts";

const columns = ["id", "charged_at", "app", "paid_by", "amount", "left", "stripe_id"] as const;

export default class BillingCharges extends CrmCommand {
  static override description = `Lists the charges of the apps of a workspace, newest first.

"left" is what can still be refunded: crm billing refund ID`;
  static override jsonResult =
    "[{id, app: {name, client_id}, location_id, company_id, stripe_id, currency, amount_cents, left_cents, charged_at}]";
  static override examples = ["<%= config.bin %> billing charges", "<%= config.bin %> billing charges --json"];
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { flags } = await this.parse(BillingCharges);
    const { listCharges } = await import("../../src/marketplace/billing/platform/platform.operations.ts");
    const charges = await this.listAll(listCharges, flags);
    const rows = charges.map(({ app, amount_cents, left_cents, ...charge }) => ({
      ...charge,
      app: app.name,
      paid_by: paidBy(charge),
      amount: `USD ${showCents(amount_cents)}`,
      left: `USD ${showCents(left_cents)}`,
    }));
    this.log(
      table(rows, columns, {
        cuts: ["app"],
        none: "No charges yet. Customers of apps with platform billing bring them.",
      }),
    );
    return charges;
  }
}
