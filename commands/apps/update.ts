/** `crm apps update`: another name, other redirect URIs, other scopes. */
import { Flags } from "@oclif/core";
import type { AppView } from "../../src/marketplace/apps/app.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { redirectUriFlag, scopeFlag } from "../../terminal/input/app-flags.ts";
import { idArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class AppsUpdate extends CrmCommand {
  static override description = `Changes the name, the redirect URIs or the scopes of an app.

--redirect-uri and --scope each name all of them anew. Whoever has installed the app keeps what was allowed then.`;
  static override examples = [
    '<%= config.bin %> apps update 1 --name "Ledgerline 2"',
    "<%= config.bin %> apps update 1 --redirect-uri https://app.example.com/callback --redirect-uri https://eu.example.com/callback --json",
  ];
  static override args = { id: idArgument("The app.") };
  static override flags = {
    ...workspaceFlag,
    name: Flags.string({ description: "What to call it." }),
    "redirect-uri": Flags.string(redirectUriFlag),
    scope: scopeFlag(),
  };

  async run(): Promise<AppView> {
    const { args, flags } = await this.parse(AppsUpdate);
    const { name, "redirect-uri": redirectUris, scope: scopes } = flags;
    if (name === undefined && redirectUris === undefined && scopes === undefined) {
      throw new WrongUsage("Nothing to change was given: name --name, --redirect-uri or --scope.");
    }
    return this.inWorkspace(flags, async (caller) => {
      const [{ updateApp }, { appChange }, { readInput }] = await Promise.all([
        import("../../src/marketplace/apps/app.service.ts"),
        import("../../src/marketplace/apps/app.schema.ts"),
        import("../../src/kit/input/read-input.ts"),
      ]);
      const input = readInput(appChange, { name, redirect_uris: redirectUris, scopes });
      const app = await caller.change((change) => updateApp(change, args.id, input));
      this.log(`Updated app ${app.id} (${printable(app.name)}).`);
      return app;
    });
  }
}
