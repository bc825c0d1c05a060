/** `crm workspaces create` */
import { Args } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { printable } from "../../terminal/output/table.ts";

export default class WorkspacesCreate extends CrmCommand {
  static override description = "Creates a workspace: a company with its own locations, people, tags and API keys.";
  static override jsonResult = "{id, name}";
  static override examples = [
    '<%= config.bin %> workspaces create "Acme"',
    '<%= config.bin %> workspaces create "Acme" --json',
  ];
  static override args = { name: Args.string({ description: "Its name.", required: true }) };

  async run(): Promise<unknown> {
    const { args } = await this.parse(WorkspacesCreate);
    const { createWorkspace } = await import("../../src/tenancy/workspaces/workspace.operations.ts");
    const workspace = await this.carryOut(createWorkspace, {}, { input: { name: args.name } });
    this.log(`Created workspace ${workspace.id} (${printable(workspace.name)}).`);
    return workspace;
  }
}
