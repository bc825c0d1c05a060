/** `crm apps update`: changes the name, redirect URIs, scopes, webhook or billing of an app. */
import { Flags } from "@oclif/core";
import type { PriceChange } from "../../src/marketplace/billing/platform/price/price.service.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import {
  billingFlags,
  redirectUriFlag,
  scopeFlag,
  toBillingFields,
  webhookUrlFlag,
} from "../../terminal/input/app-flags.ts";
import { idArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { showCents } from "../../terminal/output/money.ts";
import { printable } from "../../terminal/output/table.ts";

export default class AppsUpdate extends CrmCommand {
  static override description = `Changes the name, the redirect URIs, the scopes, the webhook or the billing of an app.

--redirect-uri and --scope replace the whole list. Existing installs keep what was allowed. A published app keeps platform billing; any other change of billing applies
from the next install on.

The secret of a new --webhook-url is shown once; another URL keeps the secret. --no-webhook removes the webhook.

A new --price-cents holds for new installs. --existing applies the price to existing subscriptions too: the worker mails their payers, and payments after 30 days have the new price.`;
  static override jsonResult =
    "the app; with a new webhook also webhook_secret; with --existing also existing: {price_cents, subscriptions}, the number of subscriptions that will change";
  static override examples = [
    '<%= config.bin %> apps update 1 --name "Ledgerline 2"',
    "<%= config.bin %> apps update 1 --redirect-uri https://app.example.com/callback --redirect-uri https://eu.example.com/callback --json",
    "<%= config.bin %> apps update 1 --billing external --payment-page-url https://app.example.com/pay --install-type company",
    "<%= config.bin %> apps update 1 --price-cents 3900 --existing",
  ];
  static override args = { id: idArgument("The app.") };
  static override flags = {
    ...workspaceFlag,
    name: Flags.string({ description: "Its name." }),
    "redirect-uri": Flags.string(redirectUriFlag),
    scope: scopeFlag(),
    "webhook-url": Flags.string(webhookUrlFlag),
    "no-webhook": Flags.boolean({ description: "Remove the webhook.", exclusive: ["webhook-url"] }),
    ...billingFlags,
    existing: Flags.boolean({
      description: "Apply the price to existing subscriptions too, 30 days after a mail to their payers.",
    }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AppsUpdate);
    const { name, "redirect-uri": redirectUris, scope: scopes } = flags;
    const webhook = flags["no-webhook"] ? null : flags["webhook-url"];
    const given = { name, redirect_uris: redirectUris, scopes, webhook_url: webhook, ...toBillingFields(flags) };
    const isChanged = Object.values(given).some((value) => value !== undefined);
    if (!isChanged && !flags.existing) {
      throw new WrongUsage(
        "Nothing to change: give --name, --redirect-uri, --scope, --webhook-url, --billing or a flag of its billing.",
      );
    }
    const [{ updateApp }, { changeExistingPrices }] = await Promise.all([
      import("../../src/marketplace/billing/app-change.operations.ts"),
      import("../../src/marketplace/billing/platform/price/price.operations.ts"),
    ]);
    const asking = { app: args.id };
    return this.inWorkspace(flags, async (caller, { carryOut, settings }) => {
      const app = await carryOut(updateApp, caller, { ...asking, input: given });
      if (isChanged) this.log(`Updated app ${app.id} (${printable(app.name)}).`);
      if (app.webhook_secret !== undefined)
        this.log(`webhook secret: ${app.webhook_secret}\nThe secret is shown only once.`);
      if (!flags.existing) return app;
      const existing = await carryOut(changeExistingPrices, caller, asking);
      this.log(toSentence(existing));
      if (existing.subscriptions > 0 && settings.smtpUrl === null)
        this.log("CRM_SMTP_URL is not set: the worker logs the mails instead of sending them.");
      return { ...app, existing };
    });
  }
}

function toSentence({ price_cents, subscriptions }: PriceChange): string {
  if (price_cents === null) return "The app has no platform billing: no existing subscription changes.";
  if (subscriptions === 0) return "No existing subscription changes.";
  const those = subscriptions === 1 ? "1 subscription changes" : `${subscriptions} subscriptions change`;
  return `${those} to USD ${showCents(price_cents)} a month, 30 days after a mail to the payer.`;
}
