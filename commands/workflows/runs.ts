/** `crm workflows runs` */
import { Flags } from "@oclif/core";
import { runStatuses } from "../../src/vocabulary/states.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { countFlag, idArgument, idFlag, locationFlags } from "../../terminal/input/flags.ts";
import { showMoment } from "../../terminal/output/moments.ts";
import { table } from "../../terminal/output/table.ts";

export default class WorkflowsRuns extends CrmCommand {
  static override description = "Lists the runs of a workflow, newest first; times are those of its location.";
  static override jsonResult = "a list of runs as the API shows them";
  static override examples = [
    "<%= config.bin %> workflows runs 1",
    "<%= config.bin %> workflows runs 1 --status failed --limit 1000 --json",
    "<%= config.bin %> workflows runs 1 --contact 12",
  ];
  static override args = { id: idArgument("The workflow.") };
  static override flags = {
    ...locationFlags,
    status: Flags.option({ description: "Only this status.", options: runStatuses })(),
    contact: idFlag({ description: "Only this contact." }),
    limit: countFlag(10_000, { description: "How many to show at most.", default: 200 }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkflowsRuns);
    const [{ listWorkflowRuns }, { describeError, nameWait }, { allPages }] = await Promise.all([
      import("../../src/crm/workflows/workflow-run.operations.ts"),
      import("../../src/crm/workflow-runs/run-step.text.ts"),
      import("../../src/kit/page.ts"),
    ]);
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const filters = { status: flags.status, contact_id: flags.contact };
      const runs = await allPages(
        (page) => carryOut(listWorkflowRuns, caller, { workflow: args.id, query: { ...filters, ...page } }),
        flags.limit,
      );
      const { timezone } = caller.location;
      const rows = runs.map((run) => ({
        id: run.id,
        contact: run.contact_id,
        status: run.status,
        node: run.current_node_id,
        waits_for: nameWait(run),
        since: showMoment(run.waiting_since, timezone),
        until: showMoment(run.wake_at, timezone),
        ended: run.ended_reason,
        enrolled: showMoment(run.enrolled_at, timezone),
        error: describeError(run),
      }));
      const columns = [
        "id",
        "contact",
        "status",
        "node",
        "waits_for",
        "since",
        "until",
        "ended",
        "enrolled",
        "error",
      ] as const;
      this.log(
        table(rows, columns, {
          cuts: ["node", "error"],
          none:
            flags.status === undefined && flags.contact === undefined
              ? `No runs yet. Start one: crm workflows enroll ${args.id} --contact ID`
              : "No run matches.",
        }),
      );
      return runs;
    });
  }
}
