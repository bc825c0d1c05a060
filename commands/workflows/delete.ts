/** `crm workflows delete` */
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, locationFlags, yesFlag } from "../../terminal/input/flags.ts";
import { nameWorkflow } from "../../terminal/output/workflows/write-result.ts";

export default class WorkflowsDelete extends CrmCommand {
  static override description = `Deletes a workflow with its versions and the history of its runs. Active runs end first.

Asks first. If it is interrupted, run it again to finish.`;
  static override jsonResult = "the workflow as it was, with its definition";
  static override examples = [
    "<%= config.bin %> workflows delete 3",
    "<%= config.bin %> workflows delete 3 --yes --json",
  ];
  static override args = { id: idArgument("The workflow.") };
  static override flags = { ...locationFlags, ...yesFlag };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkflowsDelete);
    const { deleteWorkflow, getWorkflow } = await import("../../src/crm/workflows/workflow.operations.ts");
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const workflow = await carryOut(getWorkflow, caller, { workflow: args.id });
      await confirm(`delete ${nameWorkflow(workflow)} with the history of its runs`, flags);
      await carryOut(deleteWorkflow, caller, { workflow: args.id });
      this.log(`Deleted ${nameWorkflow(workflow)}.`);
      return workflow;
    });
  }
}
