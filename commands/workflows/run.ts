/** `crm workflows run`: one run with its history. */
import type { WorkflowRunDetailView } from "../../src/crm/workflow-runs/workflow-run.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { describeRun } from "../../terminal/output/workflows/run-text.ts";

export default class WorkflowsRun extends CrmCommand {
  static override description = `Shows a run: its state, what it waits for and why it failed, and its last 200 steps.

Times are those of the location.`;
  static override jsonResult = "the run with its context and steps, as the API shows it";
  static override examples = [
    "<%= config.bin %> workflows run 7",
    "<%= config.bin %> workflows run 7 --json | jq '.steps[-1]'",
  ];
  static override args = { run: idArgument("The run.") };
  static override flags = locationFlags;

  async run(): Promise<WorkflowRunDetailView> {
    const { args, flags } = await this.parse(WorkflowsRun);
    const { getWorkflowRun } = await import("../../src/crm/workflows/workflow-run.operations.ts");
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const run = await carryOut(getWorkflowRun, caller, { workflow_run: args.run });
      this.log(describeRun(run, caller.location.timezone).join("\n"));
      return run;
    });
  }
}
