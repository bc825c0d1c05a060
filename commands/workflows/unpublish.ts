/** `crm workflows unpublish` */
import { Refusal } from "../../src/vocabulary/errors.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, placeFlags, yesFlag } from "../../terminal/input/flags.ts";
import { nameWorkflow } from "../../terminal/output/workflows/told.ts";

export default class WorkflowsUnpublish extends CrmCommand {
  static override description = `Takes a workflow back: nobody is enrolled any more, and its active runs end as workflow_unpublished.

Asks first where there are any, unless --yes is given. What is ended on the way is finished by the worker, or by running it again.`;
  static override examples = [
    "<%= config.bin %> workflows unpublish 1",
    "<%= config.bin %> workflows unpublish 1 --yes --json",
  ];
  static override args = { id: idArgument("The workflow.") };
  static override flags = { ...placeFlags, ...yesFlag };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkflowsUnpublish);
    return this.inLocation(flags, async (caller) => {
      const [{ unpublishWorkflow }, { countRunsByNode, findWorkflow }, { toWorkflow }] = await Promise.all([
        import("../../src/crm/workflows/publishing.service.ts"),
        import("../../src/crm/workflows/workflow.queries.ts"),
        import("../../src/crm/workflows/workflow.view.ts"),
      ]);
      const before = await findWorkflow(caller, args.id);
      if (before === undefined) throw new Refusal("workflow.not_found");
      const counts = await countRunsByNode(caller, args.id);
      const active = [...counts.values()].reduce((sum, runs) => sum + runs, 0);
      if (active > 0) await confirm(`unpublish ${nameWorkflow(before)}, and end ${countText(active)}`, flags);
      const { workflow, ended } = await unpublishWorkflow(caller, args.id);
      this.log(`Unpublished ${nameWorkflow(workflow)}; ${countText(ended)} ended.`);
      return { ...toWorkflow(workflow), ended };
    });
  }
}

function countText(runs: number): string {
  return runs === 1 ? "1 active run" : `${runs} active runs`;
}
