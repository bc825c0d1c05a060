/** `crm workspaces two-factor` */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { idOrNameArgument } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class WorkspacesTwoFactor extends CrmCommand {
  static override description = `Requires two-factor sign-in of the people of a workspace, or no longer.

People without it are asked to set it up at their next request, and reach nothing of the workspace in the browser before. API keys and apps are unaffected.`;
  static override jsonResult = "{id, name, two_factor_required}";
  static override examples = [
    "<%= config.bin %> workspaces two-factor 1 --required",
    "<%= config.bin %> workspaces two-factor 1 --no-required --json",
  ];
  static override args = { workspace: idOrNameArgument("The workspace, by its id or its name.") };
  static override flags = {
    required: Flags.boolean({ description: "Whether it is required.", required: true, allowNo: true }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkspacesTwoFactor);
    const { requireTwoFactor } = await import("../../src/tenancy/workspaces/workspace.operations.ts");
    const workspace = await this.carryOut(requireTwoFactor, args, { input: { required: flags.required } });
    const name = `Workspace ${workspace.id} (${printable(workspace.name)})`;
    this.log(`${name} ${flags.required ? "requires" : "does not require"} two-factor sign-in.`);
    return workspace;
  }
}
