/** `crm apps installs`: the locations that have an app installed. */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class AppsInstalls extends CrmCommand {
  static override description = `Lists where an app of the workspace is or was installed, who installed it, and with which scopes.

The status is active, uninstalled, or inactive: the person who installed it lost the location or left, or the app revoked its tokens. An inactive install has no access
until an owner or manager of the location allows the app again.`;
  static override jsonResult = "[{id, app, location, installed_by, scopes, status, installed_at, uninstalled_at}]";
  static override examples = ["<%= config.bin %> apps installs 1", "<%= config.bin %> apps installs 1 --json"];
  static override args = { id: idArgument("The app.") };
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AppsInstalls);
    const { listInstalls } = await import("../../src/marketplace/installs/install.operations.ts");
    const installs = await this.listAll(listInstalls, flags, { app: args.id });
    const rows = installs.map(({ location, installed_by, ...install }) => ({
      ...install,
      location: `${location.name} (${location.id})`,
      installed_by: installed_by.name,
    }));
    const columns = ["id", "location", "installed_by", "status", "scopes", "installed_at", "uninstalled_at"] as const;
    this.log(
      table(rows, columns, {
        cuts: ["location", "installed_by"],
        none: "No installs yet. Open the app's authorization URL to install it; crm apps list shows the client ID.",
      }),
    );
    return installs;
  }
}
