/** `crm workflows unpublish` */
import { limits } from "../../src/vocabulary/limits.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, locationFlags, yesFlag } from "../../terminal/input/flags.ts";
import { nameWorkflow } from "../../terminal/output/workflows/write-result.ts";
import { counted } from "../../src/kit/text.ts";

export default class WorkflowsUnpublish extends CrmCommand {
  static override description = `Unpublishes a workflow: no contact is enrolled any more, and its active runs end as workflow_unpublished.

Asks first if there are any. If it is interrupted, the worker finishes it, or run it again.`;
  static override jsonResult = "the workflow, with ended, the number of runs";
  static override examples = [
    "<%= config.bin %> workflows unpublish 1",
    "<%= config.bin %> workflows unpublish 1 --yes --json",
  ];
  static override args = { id: idArgument("The workflow.") };
  static override flags = { ...locationFlags, ...yesFlag };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkflowsUnpublish);
    const { getWorkflow, unpublishWorkflow } = await import("../../src/crm/workflows/workflow.operations.ts");
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const before = await carryOut(getWorkflow, caller, { workflow: args.id });
      const active = Object.values(before.active_runs).reduce((sum, runs) => sum + runs, 0);
      const least = active >= limits.workflowRun.counted ? "at least " : "";
      if (active > 0) await confirm(`unpublish ${nameWorkflow(before)}, and end ${least}${countText(active)}`, flags);
      const workflow = await carryOut(unpublishWorkflow, caller, { workflow: args.id });
      this.log(`Unpublished ${nameWorkflow(workflow)}; ${countText(workflow.ended)} ended.`);
      return workflow;
    });
  }
}

function countText(runs: number): string {
  return counted(runs, "active run");
}
