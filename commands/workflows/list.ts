/** `crm workflows list` */
import { CrmCommand } from "../../terminal/command.ts";
import { locationFlags } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class WorkflowsList extends CrmCommand {
  static override description = "Lists the workflows of a location, oldest first.";
  static override jsonResult = "a list of workflows as the API shows them";
  static override examples = ["<%= config.bin %> workflows list", "<%= config.bin %> workflows list --json"];
  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { flags } = await this.parse(WorkflowsList);
    const { listWorkflows } = await import("../../src/crm/workflows/workflow.operations.ts");
    const workflows = await this.listAll(listWorkflows, flags);
    const rows = workflows.map((workflow) => ({
      ...workflow,
      started_by: workflow.trigger_event,
      throttled_at: workflow.throttled_at ?? null,
    }));
    const marks = workflows.some(({ throttled_at }) => throttled_at !== undefined) ? ["throttled_at" as const] : [];
    this.log(
      table(rows, ["id", "name", "status", "version", "started_by", ...marks], {
        cuts: ["name"],
        none: "No workflows yet. Create one: crm workflows create NAME --file FILE",
      }),
    );
    return workflows;
  }
}
