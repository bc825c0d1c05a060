/** Ends workflow runs. enrollment.service.ts starts them, and the engine moves them in between. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { truncate } from "../../kit/text.ts";
import { defineUpdate, updateRow } from "../../storage/inserting/insert.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { endings } from "../../vocabulary/states.ts";
import type { EndedReason } from "../../vocabulary/states.ts";
import { lockIfNotDeleted, raiseActivity } from "../contact-activity.ts";
import type { ContactReference } from "../contact-activity.ts";
import type { ContactMove } from "../contact-neighbour.ts";
import { runFinished } from "./workflow-run.events.ts";
import { findWorkflowRun, lockRepeatedRuns, lockRuns, lockRunsOfContact } from "./workflow-run.queries.ts";
import type { LivingRunRow } from "./workflow-run.queries.ts";
import { toWorkflowRun } from "./workflow-run.view.ts";
import type { WorkflowRunRow } from "./workflow-run.view.ts";

const endUpdate = defineUpdate(
  "workflow_runs",
  [
    "status",
    "current_node_id",
    "wait_reason",
    "due_at",
    "awaited_event",
    "awaited_channel_id",
    "waiting_since",
    "ended_reason",
    "error",
    "completed_at",
    "step_count",
  ],
  { onlyWhereOther: ["step_count"] },
);

/** How a run ends. */
interface Ending {
  readonly reason: EndedReason;
  /** Why it failed, as a sentence for people. */
  readonly error?: string;
  /** How many steps it has made; left out where its end is none of them. */
  readonly stepCount?: number;
}

const changesStepCount: ReadonlySet<string> = new Set(["step_count"]);

const dropPostText = "delete from workflow_posts where run_id = ?";

/** Ends a run, which is locked as its contact is, and raises workflow.run_finished; returns the ended run. */
export function endRun(
  change: Change<LocationContext>,
  run: LivingRunRow,
  contact: ContactReference,
  { reason, error, stepCount }: Ending,
): WorkflowRunRow {
  const shownError = error === undefined ? null : truncate(error, limits.workflowRun.error);
  const status = endings[reason];
  updateRow(
    change,
    endUpdate,
    run.id,
    {
      status,
      current_node_id: run.current_node_id,
      wait_reason: "none",
      due_at: null,
      awaited_event: null,
      awaited_channel_id: null,
      waiting_since: null,
      ended_reason: reason,
      error: shownError,
      completed_at: change.now,
      step_count: stepCount ?? 0,
    },
    stepCount === undefined ? undefined : changesStepCount,
  );
  // At a webhook node, where its post waits, or is under way.
  if (run.status === "active" && run.due_at === null) change.send(dropPostText, [run.id]);
  const ended: WorkflowRunRow = {
    ...run,
    status,
    wait_reason: "none",
    due_at: null,
    ended_reason: reason,
    completed_at: change.now.getTime(),
  };
  const workflow = { id: run.workflow_id, name: run.workflow_name };
  raiseActivity(
    change,
    run.contact_id,
    runFinished.of({ ...toWorkflowRun(ended), workflow, contact, error: shownError }),
  );
  return ended;
}

/** Ends the active runs of a locked contact. */
export async function endRunsOfContact(
  change: Change<LocationContext>,
  contact: ContactReference,
  ending: Ending,
): Promise<void> {
  for (const run of await lockRunsOfContact(change, contact.id)) endRun(change, run, contact, ending);
}

/** Locks the active runs of a contact that a move to another would repeat, and resolves to a function that ends them: in a workflow, a contact has one run. */
export async function findRepeatedRuns(
  change: Change<LocationContext>,
  move: ContactMove,
): Promise<(to: ContactReference) => void> {
  const repeated = await lockRepeatedRuns(change, move);
  return (to) => {
    for (const run of repeated) endRun(change, { ...run, contact_id: to.id }, to, { reason: "removed" });
  };
}

/** Ends a run of the location as `removed`; returns the ended run. Refuses `workflow_run.not_found`, and with 422 on `run` one that is over. */
export async function removeRun(change: Change<LocationContext>, id: number): Promise<WorkflowRunRow> {
  const { contact, run } = await lockRunByContact(change, id);
  if (contact === undefined || run === undefined) throw new Invalid({ run: ["The run is over already."] });
  return endRun(change, run, contact, { reason: "removed" });
}

/** Locks a run by its contact until the commit; undefined for a deleted contact and a run that is over. Refuses `workflow_run.not_found`. */
export async function lockRunByContact(change: Change<LocationContext>, id: number) {
  const found = await findWorkflowRun(change, id);
  if (found === undefined) throw new Refusal("workflow_run.not_found");
  const contact = await lockIfNotDeleted(change, found.contact_id);
  const [run] = await lockRuns(change, [id]);
  return { contact, run };
}
