/** `crm workspaces list` */
import { CrmCommand } from "../../terminal/command.ts";
import { table } from "../../terminal/output/table.ts";

export default class WorkspacesList extends CrmCommand {
  static override description = "Lists the workspaces of this service.";
  static override jsonResult = "[{id, name}]";
  static override examples = ["<%= config.bin %> workspaces list", "<%= config.bin %> workspaces list --json"];

  async run(): Promise<unknown> {
    await this.parse(WorkspacesList);
    const { listWorkspaces } = await import("../../src/tenancy/workspaces/workspace.operations.ts");
    const workspaces = await this.carryOut(listWorkspaces, {}, {});
    this.log(
      table(workspaces, ["id", "name"], { cuts: ["name"], none: "No workspaces yet. Set up the first: crm setup" }),
    );
    return workspaces;
  }
}
