/** `crm workflows retry` */
import { Args } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { failedSinceFlag, readFailedSince } from "../../terminal/input/failed-since.ts";
import { idFlag, locationFlags, readId } from "../../terminal/input/flags.ts";

export default class WorkflowsRetry extends CrmCommand {
  static override description = `Retries a failed run, or all of a workflow that have failed since some time: they continue at the node that failed.

A run whose workflow is not published, or whose contact was deleted or is in the workflow again, is refused. If it is interrupted, run it again to finish.`;
  static override jsonResult = "the run, or {retried, refused} with the number of refused runs by reason";
  static override examples = [
    "<%= config.bin %> workflows retry 7",
    "<%= config.bin %> workflows retry --failed-since 24h --workflow 3",
    "<%= config.bin %> workflows retry --failed-since 2026-03-01T12:00:00Z --workflow 3 --json",
  ];
  static override args = { run: Args.string({ description: "The run." }) };
  static override flags = {
    ...locationFlags,
    ...failedSinceFlag,
    workflow: idFlag({ description: "The workflow of these runs." }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkflowsRetry);
    const { "failed-since": since, workflow } = flags;
    if (
      (args.run === undefined) !== (since !== undefined && workflow !== undefined) ||
      (since === undefined) !== (workflow === undefined)
    )
      throw new WrongUsage("Name one run, or give --failed-since with --workflow.");
    const { retryRun, retryFailedRuns } = await import("../../src/crm/workflows/workflow-run.operations.ts");
    if (args.run !== undefined) {
      const run = await this.carryOut(retryRun, flags, { workflow_run: readId(args.run, "RUN") });
      this.log(`Run ${run.id} continues at ${run.current_node_id}. To follow it: crm workflows run ${run.id}`);
      return run;
    }
    return this.inLocation(flags, async (caller, service) => {
      const input = { since: readFailedSince(since!, service.clock.now()).toISOString() };
      const result = await service.carryOut(retryFailedRuns, caller, { workflow: workflow!, input });
      const refused = Object.entries(result.refused).map(([reason, count]) => `${count} refused: ${reason}`);
      this.log(
        [`${result.retried === 1 ? "1 run continues" : `${result.retried} runs continue`}.`, ...refused].join("\n"),
      );
      return result;
    });
  }
}
