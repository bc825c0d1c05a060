/** `crm billing report`: sends a payment report to a running service over HTTP. Needs no database. */
import { text } from "node:stream/consumers";
import { Flags } from "@oclif/core";
import { paymentStatuses, paymentTypes } from "../../src/vocabulary/states.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { idFlag } from "../../terminal/input/flags.ts";
import { readServerUrl, serverUrlFlag } from "../../terminal/input/server-url.ts";
import { sendPaymentReport } from "../../terminal/payment-report.ts";

export default class BillingReport extends CrmCommand {
  static override description = `Reports a payment of a customer of a marketplace app, or its failure, to a running service.

The client secret comes from CRM_CLIENT_SECRET, from CRM_CLIENT_SECRET_FILE, or from stdin. Network errors and answers that take longer than ten seconds are retried four times. With
--payment-id a repeated report counts once. Exits 1 if the report was refused, and 3 if nothing answers or the service answers 5xx: send it again later. Needs no database.`;
  static override jsonResult = "{ok}";

  static override examples = [
    "CRM_CLIENT_SECRET=… <%= config.bin %> billing report --url https://crm.example.com --client-id crm_app_… --location 1 --amount 29.00 --status COMPLETED --type recurring --payment-id inv_1 --subscription-id sub_1",
    "<%= config.bin %> billing report --client-id crm_app_… --company 1 --amount 29.00 --status FAILED --type recurring --json < secret.txt",
  ];

  static override flags = {
    ...serverUrlFlag,
    "client-id": Flags.string({ description: "The client id of the app (CRM_CLIENT_ID).", helpValue: "ID" }),
    location: idFlag({ description: "The location that pays." }),
    company: idFlag({ description: "The company that pays, which is a workspace." }),
    amount: Flags.string({ description: "In US dollars, such as 29.00.", required: true }),
    status: Flags.option({ description: "The result of the payment.", options: paymentStatuses, required: true })(),
    type: Flags.option({ description: "The kind of payment.", options: paymentTypes, required: true })(),
    "payment-id": Flags.string({ description: "Your id of the payment; required for one_time.", helpValue: "ID" }),
    "subscription-id": Flags.string({ description: "Your id of the subscription.", helpValue: "ID" }),
    "occurred-at": Flags.string({
      description: "When the payment happened, such as 2026-03-01T12:00:00Z; an older report does not decide.",
      helpValue: "TIME",
    }),
  };

  async run(): Promise<{ ok: true }> {
    const { flags } = await this.parse(BillingReport);
    const { location, company, status } = flags;
    if ((location === undefined) === (company === undefined)) {
      throw new WrongUsage("Give the payer: either --location or --company.");
    }
    const settings = this.settings({ clientId: flags["client-id"] });
    const { clientId } = settings;
    if (clientId === null) throw new WrongUsage("No client id given: set --client-id or CRM_CLIENT_ID.");
    const report = {
      ...(location === undefined
        ? { authType: "company", companyId: company }
        : { authType: "location", locationId: location }),
      amount: readAmount(flags.amount),
      status,
      paymentType: flags.type,
      paymentId: flags["payment-id"],
      subscriptionId: flags["subscription-id"],
      occurredAt: flags["occurred-at"],
    };
    const url = readServerUrl(flags.url, settings);
    const clientSecret = settings.clientSecret ?? (await readSecret());
    await sendPaymentReport({ url, clientId, clientSecret }, report);
    this.log(`Reported to ${url}.`);
    return { ok: true };
  }
}

/** The service validates the amount. */
function readAmount(given: string): number {
  const amount = /^-?\d+(\.\d+)?$/.test(given.trim()) ? Number(given) : Number.NaN;
  if (Number.isFinite(amount)) return amount;
  throw new WrongUsage(`--amount is ${JSON.stringify(given)}; expected a number of US dollars such as 29.00.`);
}

async function readSecret(): Promise<string> {
  const secret = process.stdin.isTTY ? "" : (await text(process.stdin)).trim();
  if (/^[!-~]+$/.test(secret)) return secret;
  throw new WrongUsage("No client secret given: set CRM_CLIENT_SECRET, or pipe only the secret to stdin.");
}
