/** `crm apps uninstall`: uninstalls an app from a location of the workspace. */
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, workspaceFlag, yesFlag } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class AppsUninstall extends CrmCommand {
  static override description = `Uninstalls an app from a location of the workspace: all of its tokens there are refused at once.

"crm apps installs" lists the ids of installs.`;
  static override jsonResult = "the install";
  static override examples = ["<%= config.bin %> apps uninstall 3", "<%= config.bin %> apps uninstall 3 --yes --json"];
  static override args = { id: idArgument("The install.") };
  static override flags = { ...workspaceFlag, ...yesFlag };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AppsUninstall);
    await confirm(`end install ${args.id} and revoke its tokens`, flags);
    const { uninstallApp } = await import("../../src/marketplace/installs/install.operations.ts");
    const install = await this.carryOut(uninstallApp, flags, { install: args.id });
    this.log(`Uninstalled ${printable(install.app.name)} from ${printable(install.location.name)}.`);
    return install;
  }
}
