/** `crm apps update`: changes the name, redirect URIs, scopes or billing of an app. */
import { Flags } from "@oclif/core";
import type { AppView } from "../../src/marketplace/apps/app.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { billingFlags, redirectUriFlag, scopeFlag, toBillingFields } from "../../terminal/input/app-flags.ts";
import { idArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class AppsUpdate extends CrmCommand {
  static override description = `Changes the name, the redirect URIs, the scopes or the billing of an app.

--redirect-uri and --scope replace the whole list. Existing installs keep what was allowed. A published app keeps platform billing; any other change of billing applies
from the next install on.`;
  static override jsonResult = "the app";
  static override examples = [
    '<%= config.bin %> apps update 1 --name "Ledgerline 2"',
    "<%= config.bin %> apps update 1 --redirect-uri https://app.example.com/callback --redirect-uri https://eu.example.com/callback --json",
    "<%= config.bin %> apps update 1 --billing external --payment-page-url https://app.example.com/pay --install-type company",
  ];
  static override args = { id: idArgument("The app.") };
  static override flags = {
    ...workspaceFlag,
    name: Flags.string({ description: "Its name." }),
    "redirect-uri": Flags.string(redirectUriFlag),
    scope: scopeFlag(),
    ...billingFlags,
  };

  async run(): Promise<AppView> {
    const { args, flags } = await this.parse(AppsUpdate);
    const { name, "redirect-uri": redirectUris, scope: scopes } = flags;
    const given = { name, redirect_uris: redirectUris, scopes, ...toBillingFields(flags) };
    if (Object.values(given).every((value) => value === undefined)) {
      throw new WrongUsage(
        "Nothing to change: give --name, --redirect-uri, --scope, --billing or a flag of its billing.",
      );
    }
    const { updateApp } = await import("../../src/marketplace/apps/app.operations.ts");
    const app = await this.carryOut(updateApp, flags, { app: args.id, input: given });
    this.log(`Updated app ${app.id} (${printable(app.name)}).`);
    return app;
  }
}
