/** What the worker does for workflows: it follows the event log for those who wait for it, and moves the runs that are due. */
import type { ChangeAcross } from "../../events/call-as.ts";
import type { Tools } from "../../events/caller.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Database } from "../../storage/database.ts";
import { createDefinitions } from "./engine/definitions.ts";
import { moveDueRuns } from "./engine/engine.ts";
import { createFollower } from "./following/follower.ts";
import { findNextDue } from "./engine/run-rows.ts";

interface WorkflowDuties {
  readonly database: Database;
  readonly changeAcross: ChangeAcross;
  readonly tools: Tools;
  readonly log: { readonly error: (message: string, fields: object) => void };
}

export function workflowDuties({ database, changeAcross, tools, log }: WorkflowDuties): Duty[] {
  const definitions = createDefinitions();
  const follow = createFollower({ database, tools, definitions });
  const ground = {
    rows: database,
    changeAcross,
    clock: tools.clock,
    definitions,
    report: (error: unknown, run: { id: number; nodeId: string }) =>
      log.error("a node of a workflow could not be carried out", { run_id: run.id, node_id: run.nodeId, error }),
  };
  return [
    {
      name: "start and wake workflow runs",
      wokenByCommits: true,
      run: async () => ((await follow()) > 0 ? "more" : "done"),
      nextDue: async () => null,
    },
    {
      name: "move workflow runs",
      wokenByCommits: true,
      run: async (signal) => ((await moveDueRuns(ground, signal)) ? "more" : "done"),
      async nextDue() {
        const due = await findNextDue(database);
        return due === null ? null : new Date(due);
      },
    },
  ];
}
