/** `crm workspaces create`: a further company on this service. */
import { Args } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { printable } from "../../terminal/output/table.ts";

export default class WorkspacesCreate extends CrmCommand {
  static override description = "Creates a workspace: a company with locations, people, tags and API keys of its own.";
  static override examples = [
    '<%= config.bin %> workspaces create "Acme"',
    '<%= config.bin %> workspaces create "Acme" --json',
  ];
  static override args = { name: Args.string({ description: "What to call it.", required: true }) };

  async run(): Promise<unknown> {
    const { args } = await this.parse(WorkspacesCreate);
    return this.withService(async (service) => {
      const [{ createWorkspace }, { workspaceInput }, { readInput }] = await Promise.all([
        import("../../src/tenancy/workspaces/workspace.service.ts"),
        import("../../src/tenancy/workspaces/workspace.schema.ts"),
        import("../../src/kit/input/read-input.ts"),
      ]);
      const input = readInput(workspaceInput, { name: args.name });
      const workspace = await createWorkspace(service, input);
      this.log(`Created workspace ${workspace.id} (${printable(workspace.name)}).`);
      return workspace;
    });
  }
}
