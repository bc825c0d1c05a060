/** `crm apps publish`: lets every workspace install an app. */
import type { AppView } from "../../src/marketplace/apps/app.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class AppsPublish extends CrmCommand {
  static override description = "Publishes an app: every workspace of this service can install it.";
  static override jsonResult = "the app";
  static override examples = ["<%= config.bin %> apps publish 1", "<%= config.bin %> apps publish 1 --json"];
  static override args = { id: idArgument("The app.") };
  static override flags = workspaceFlag;

  async run(): Promise<AppView> {
    const { args, flags } = await this.parse(AppsPublish);
    const { publishApp } = await import("../../src/marketplace/apps/app.operations.ts");
    const app = await this.carryOut(publishApp, flags, { app: args.id });
    this.log(`Published app ${app.id} (${printable(app.name)}).`);
    return app;
  }
}
