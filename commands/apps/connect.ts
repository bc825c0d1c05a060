/** `crm apps connect`: creates or shows the connected account at Stripe to which the owner of an app is paid. */
import { Args, Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";

export default class AppsConnect extends CrmCommand {
  static override description = `Creates the account at Stripe to which the owner of an app with platform billing is paid, and prints the link at which Stripe asks for the rest.

The account is created once; run it again for another link. An app with platform billing can be published once its account takes charges.`;
  static override jsonResult =
    "{client_id, account_id, charges_enabled, payouts_enabled, missing, url}; no url with --status";
  static override examples = [
    "<%= config.bin %> apps connect crm_app_4fZk",
    "<%= config.bin %> apps connect crm_app_4fZk --status --json",
  ];
  static override args = { client: Args.string({ description: "The client id of the app.", required: true }) };
  static override flags = {
    ...workspaceFlag,
    status: Flags.boolean({ description: "Only read the state of the account." }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AppsConnect);
    const [{ connectApp, getAppAccount }, { listApps }, { allPages }] = await Promise.all([
      import("../../src/marketplace/billing/platform/account.operations.ts"),
      import("../../src/marketplace/apps/app.operations.ts"),
      import("../../src/kit/page.ts"),
    ]);
    const apps = await this.inWorkspace(flags, (caller, service) =>
      allPages((query) => service.carryOut(listApps, caller, { query })),
    );
    const app = apps.find(({ client_id }) => client_id === args.client);
    if (app === undefined)
      throw new WrongUsage(`CLIENT is ${JSON.stringify(args.client)}; no app of the workspace has this client id.`);
    const account = flags.status
      ? await this.carryOut(getAppAccount, flags, { app: app.id })
      : await this.carryOut(connectApp, flags, { app: app.id });
    if ("url" in account) this.log(String(account.url));
    this.log(
      `Charges: ${account.charges_enabled ? "enabled" : "not yet"}. Payouts: ${account.payouts_enabled ? "enabled" : "not yet"}.`,
    );
    if (account.missing.length > 0) this.log(`Stripe still asks for: ${account.missing.join(", ")}.`);
    return account;
  }
}
