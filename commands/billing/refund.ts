/** `crm billing refund`: refunds a charge fully or partially. */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { idArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { showCents } from "../../terminal/output/money.ts";

export default class BillingRefund extends CrmCommand {
  static override description = `Refunds a charge of an app with platform billing, in whole or in part, and takes it back from the owner of the app.

A refund is "pending" if Stripe cannot be reached; the worker makes it later, once.`;
  static override jsonResult = "{id, charge, status, amount_cents, left_cents}";
  static override examples = [
    "<%= config.bin %> billing refund 7",
    '<%= config.bin %> billing refund 7 --amount 10.00 --reason "Charged twice" --json',
  ];
  static override args = { id: idArgument("The charge; crm billing charges lists them.") };
  static override flags = {
    ...workspaceFlag,
    amount: Flags.string({ description: "US dollars, such as 10.00; what is left unless given.", helpValue: "USD" }),
    reason: Flags.string({ description: "Why; it is kept with the refund." }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(BillingRefund);
    const [{ refundCharge }, { toCents }] = await Promise.all([
      import("../../src/marketplace/billing/platform/platform.operations.ts"),
      import("../../src/kit/input/money.ts"),
    ]);
    const amount = flags.amount === undefined ? undefined : toCents(readDollars(flags.amount));
    if (flags.amount !== undefined && !amount) throw wrongAmount(flags.amount);
    const input = { amount_cents: amount, reason: flags.reason };
    const refund = await this.carryOut(refundCharge, flags, { charge: args.id, input });
    const done = refund.status === "succeeded" ? "Refunded" : "Stripe cannot be reached: the worker will refund";
    this.log(
      `${done} USD ${showCents(refund.amount_cents)} of ${refund.charge}; USD ${showCents(refund.left_cents)} is left.`,
    );
    return refund;
  }
}

function readDollars(text: string): number {
  return /^\d+(\.\d{1,2})?$/.test(text.trim()) ? Number(text) : Number.NaN;
}

function wrongAmount(text: string): WrongUsage {
  return new WrongUsage(`--amount is ${JSON.stringify(text)}; expected a number of US dollars such as 10.00.`);
}
