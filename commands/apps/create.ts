/** `crm apps create`: a marketplace app with its client id and secret. */
import { Args, Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import {
  billingFlags,
  redirectUriFlag,
  scopeFlag,
  toBillingFields,
  webhookUrlFlag,
} from "../../terminal/input/app-flags.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { describeNewApp } from "../../terminal/output/new-app.ts";

export default class AppsCreate extends CrmCommand {
  static override description = `Creates a marketplace app and prints its client id and its secret, which is shown once.

The app is a draft, which can be installed in this workspace only, until "crm apps publish".

With --billing external, the person who installs it is sent to the app's payment page, and the app reports payments with "crm billing report".

With --webhook-url, the app is told of installs, uninstalls and changes of its subscriptions. The secret that signs the deliveries is shown once. "crm apps list" shows the id of the webhook, for "crm hooks deliveries", "crm hooks test" and "crm hooks rotate-secret".`;
  static override jsonResult =
    'the app as "crm apps list" shows it, with client_secret in place of secret_last_four; with --webhook-url also webhook_secret';
  static override examples = [
    '<%= config.bin %> apps create "Ledgerline" --redirect-uri https://app.example.com/callback --scope contacts.readonly',
    '<%= config.bin %> apps create "Dialer" --redirect-uri http://localhost:4000/callback --scope contacts.write --scope webhooks.write --json',
    '<%= config.bin %> apps create "Ledgerline" --redirect-uri https://app.example.com/callback --scope contacts.readonly --billing external --payment-page-url https://app.example.com/pay',
    '<%= config.bin %> apps create "Ledgerline" --redirect-uri https://app.example.com/callback --scope contacts.readonly --webhook-url https://app.example.com/hooks/crm',
  ];
  static override args = { name: Args.string({ description: "Its name.", required: true }) };
  static override flags = {
    ...workspaceFlag,
    "redirect-uri": Flags.string({ ...redirectUriFlag, required: true }),
    scope: scopeFlag({ required: true }),
    "webhook-url": Flags.string(webhookUrlFlag),
    ...billingFlags,
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AppsCreate);
    const { createApp } = await import("../../src/marketplace/apps/app.operations.ts");
    const given = {
      name: args.name,
      redirect_uris: flags["redirect-uri"],
      scopes: flags.scope,
      webhook_url: flags["webhook-url"],
    };
    const app = await this.carryOut(createApp, flags, { input: { ...given, ...toBillingFields(flags) } });
    this.log(describeNewApp("Made", app));
    return app;
  }
}
