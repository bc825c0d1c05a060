/** `crm workspaces update` */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { placeArgument } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class WorkspacesUpdate extends CrmCommand {
  static override description = "Renames a workspace.";
  static override examples = [
    '<%= config.bin %> workspaces update 1 --name "Acme"',
    '<%= config.bin %> workspaces update 1 --name "Acme" --json',
  ];
  static override args = { workspace: placeArgument("The workspace, by its id or its name.") };
  static override flags = { name: Flags.string({ description: "What to call it.", required: true }) };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkspacesUpdate);
    return this.inWorkspace(args, async ({ workspaceId }, service) => {
      const [{ renameWorkspace }, { workspaceInput }, { readInput }] = await Promise.all([
        import("../../src/tenancy/workspaces/workspace.service.ts"),
        import("../../src/tenancy/workspaces/workspace.schema.ts"),
        import("../../src/kit/input/read-input.ts"),
      ]);
      const workspace = await renameWorkspace(service, workspaceId, readInput(workspaceInput, { name: flags.name }));
      this.log(`Updated workspace ${workspace.id} (${printable(workspace.name)}).`);
      return workspace;
    });
  }
}
