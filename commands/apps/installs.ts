/** `crm apps installs`: where an app works. */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class AppsInstalls extends CrmCommand {
  static override description = `Lists where an app of the workspace was installed, by whom, and with which scopes.

The status is active, uninstalled, or inactive: whoever let the app in has lost the location or left, or the app gave its
tokens up. An inactive one has no access until somebody who owns or manages the location lets it in again.`;
  static override examples = ["<%= config.bin %> apps installs 1", "<%= config.bin %> apps installs 1 --json"];
  static override args = { id: idArgument("The app.") };
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AppsInstalls);
    const { listInstalls } = await import("../../src/marketplace/installs/install.operations.ts");
    const installs = await this.carryOut(listInstalls, flags, { app: args.id });
    const rows = installs.map(({ location, installed_by, ...install }) => ({
      ...install,
      location: `${location.name} (${location.id})`,
      installed_by: installed_by.name,
    }));
    const columns = ["id", "location", "installed_by", "status", "scopes", "installed_at", "uninstalled_at"] as const;
    this.log(
      table(rows, columns, {
        cuts: ["location", "installed_by"],
        none: "No installs yet. Its authorization URL installs it; crm apps list shows the client id.",
      }),
    );
    return installs;
  }
}
