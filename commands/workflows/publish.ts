/** `crm workflows publish` */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { nameWorkflow, describeWarnings } from "../../terminal/output/workflows/write-result.ts";

export default class WorkflowsPublish extends CrmCommand {
  static override description = `Publishes the draft of a workflow: contacts can be enrolled, and its trigger enrolls them.

A draft with errors is not published; they are listed by node. Existing runs keep their version.`;
  static override jsonResult = "the workflow, with warnings";
  static override examples = ["<%= config.bin %> workflows publish 1", "<%= config.bin %> workflows publish 1 --json"];
  static override args = { id: idArgument("The workflow.") };
  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkflowsPublish);
    const { publishWorkflow } = await import("../../src/crm/workflows/workflow.operations.ts");
    const workflow = await this.carryOut(publishWorkflow, flags, { workflow: args.id });
    const published = `Published ${nameWorkflow(workflow)}, version ${workflow.version}.`;
    this.log([published, ...describeWarnings(workflow.warnings)].join("\n"));
    return workflow;
  }
}
