/** `crm workspaces update` */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { idOrNameArgument } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class WorkspacesUpdate extends CrmCommand {
  static override description = "Renames a workspace.";
  static override jsonResult = "{id, name}";
  static override examples = [
    '<%= config.bin %> workspaces update 1 --name "Acme"',
    '<%= config.bin %> workspaces update 1 --name "Acme" --json',
  ];
  static override args = { workspace: idOrNameArgument("The workspace, by its id or its name.") };
  static override flags = { name: Flags.string({ description: "Its name.", required: true }) };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkspacesUpdate);
    const { updateWorkspace } = await import("../../src/tenancy/workspaces/workspace.operations.ts");
    const workspace = await this.carryOut(updateWorkspace, args, { input: { name: flags.name } });
    this.log(`Updated workspace ${workspace.id} (${printable(workspace.name)}).`);
    return workspace;
  }
}
