/** `crm billing reconcile`: compares the ledger with Stripe and records missing objects. */
import { CrmCommand } from "../../terminal/command.ts";
import { counted } from "../../src/kit/text.ts";

export default class BillingReconcile extends CrmCommand {
  static override description = `Compares the ledger and the subscriptions of platform billing with Stripe, and writes what lost webhooks would have said.

The worker does the same when it starts and once a day. It prints what is in the ledger and not at Stripe, and transfers to owners that are at Stripe and not in the ledger: these are not corrected. docs/billing.md has the details.`;
  static override jsonResult =
    "{events, subscriptions, charges, refunds, disputes, transfers, added: [], unknown: [], unrecorded: []}";
  static override examples = ["<%= config.bin %> billing reconcile", "<%= config.bin %> billing reconcile --json"];

  async run(): Promise<unknown> {
    await this.parse(BillingReconcile);
    const { reconcileBilling } = await import("../../src/marketplace/billing/platform/platform.operations.ts");
    const report = await this.carryOut(reconcileBilling, {}, {});
    const { events, subscriptions, charges, refunds, disputes, transfers, added, unknown, unrecorded } = report;
    this.log(
      `Read ${counted(events, "event")}, ${counted(subscriptions, "subscription")}, ${counted(charges, "charge")}, ${counted(refunds, "refund")}, ${counted(disputes, "dispute")} and ${counted(transfers, "transfer")} at Stripe.`,
    );
    this.log(added.length === 0 ? "Nothing was missing here." : `Missing here, and written now: ${added.join(", ")}`);
    if (unknown.length > 0) this.log(`In the ledger, and not at Stripe: ${unknown.join(", ")}`);
    if (unrecorded.length > 0) this.log(`At Stripe, and not in the ledger: ${unrecorded.join(", ")}`);
    return report;
  }
}
