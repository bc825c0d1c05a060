/** `crm workflows remove` */
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, locationFlags, yesFlag } from "../../terminal/input/flags.ts";

export default class WorkflowsRemove extends CrmCommand {
  static override description = `Ends an active run as removed: the contact leaves the workflow.

crm workflows runs lists the runs of a workflow.`;
  static override jsonResult = "the run";
  static override examples = [
    "<%= config.bin %> workflows remove 7",
    "<%= config.bin %> workflows remove 7 --yes --json",
  ];
  static override args = { run: idArgument("The run.") };
  static override flags = { ...locationFlags, ...yesFlag };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkflowsRemove);
    await confirm(`end run ${args.run}`, flags);
    const { removeRun } = await import("../../src/crm/workflows/workflow-run.operations.ts");
    const run = await this.carryOut(removeRun, flags, { workflow_run: args.run });
    this.log(`Removed contact ${run.contact_id} from workflow ${run.workflow_id}: run ${run.id} has ended.`);
    return run;
  }
}
