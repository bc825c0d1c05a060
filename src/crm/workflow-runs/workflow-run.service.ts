/** Starts and ends workflow runs. The engine moves them in between. */
import type { Change, LocationContext } from "../../events/caller.ts";
import type { Cause } from "../../events/event-record.ts";
import { truncate } from "../../kit/text.ts";
import { defineInsert, defineUpdate, insertRows, updateRow } from "../../storage/inserting/insert.ts";
import { unchangedUntilCommit } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import type { FieldErrors } from "../../vocabulary/errors.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { limits } from "../../vocabulary/limits.ts";
import { endings } from "../../vocabulary/states.ts";
import type { EndedReason } from "../../vocabulary/states.ts";
import { lockIfNotDeleted, contactOfLocation, raiseActivity } from "../contact-activity.ts";
import type { ContactReference } from "../contact-activity.ts";
import { runFinished, runStarted } from "./workflow-run.events.ts";
import { findWorkflowRun, lockRuns, lockRunsOfContact } from "./workflow-run.queries.ts";
import type { LivingRunRow } from "./workflow-run.queries.ts";
import { toWorkflowRun } from "./workflow-run.view.ts";
import type { WorkflowRunRow } from "./workflow-run.view.ts";

const runInsert = defineInsert(
  "workflow_runs",
  [
    "location_id",
    "workflow_id",
    "version_id",
    "contact_id",
    "status",
    "current_node_id",
    "due_at",
    "context",
    "trigger_event",
    "cause_run_id",
    "depth",
    "origin_run_id",
    "enrolled_at",
  ],
  {
    leaves: [
      "wait_reason",
      "awaited_event",
      "waiting_since",
      "ended_reason",
      "error",
      "attempts",
      "last_sent_at",
      "turn",
      "completed_at",
    ],
  },
);

const endUpdate = defineUpdate("workflow_runs", [
  "status",
  "current_node_id",
  "wait_reason",
  "due_at",
  "awaited_event",
  "waiting_since",
  "ended_reason",
  "error",
  "completed_at",
]);

/** The enrollment of a contact in a workflow. */
export interface Enrollment {
  readonly workflowId: number;
  readonly contactId: number;
  /** The `context` of its templates and filters. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The event whose data is the context. */
  readonly triggerEvent?: EventName | null;
  /** The run whose event started this one. */
  readonly cause?: (Cause & { readonly originRunId: number }) | null;
}

const workflowText = sql`select id, name, allow_reentry, version_id, entry_node_id from workflows
  where id = ? and location_id = ?${unchangedUntilCommit("workflows")}`;

interface EnteredWorkflow {
  readonly id: number;
  readonly name: string;
  readonly allow_reentry: boolean | number;
  readonly version_id: number | null;
  readonly entry_node_id: string | null;
}

const runsText = `select count(*) as all_runs, count(case when workflow_id = ? then 1 end) as of_workflow
  from workflow_runs where contact_id = ? and status in ('active', 'waiting')`;

/**
 * Starts a run and raises workflow.run_started (specification, "Workflow run"). Refuses `workflow.not_found`, and with 422, before
 * anything is written: on `workflow` one that is not published; on `contact_id` a contact that is not of the location, one with an active run
 * unless re-entry is allowed, and one at the limit of active runs. The contact is locked, which serializes concurrent enrollments; the
 * workflow is share-locked, so it stays published until the commit.
 */
export async function enroll(
  change: Change<LocationContext>,
  { workflowId, contactId, context, triggerEvent = null, cause = null }: Enrollment,
): Promise<WorkflowRunRow> {
  const contact = await lockIfNotDeleted(change, contactId);
  const [workflow] = await change.rows<EnteredWorkflow>(workflowText, [workflowId, change.location.id]);
  if (workflow === undefined) throw new Refusal("workflow.not_found");
  const errors: FieldErrors = {};
  if (workflow.version_id === null) errors["workflow"] = ["The workflow is not published."];
  if (contact === undefined) errors["contact_id"] = [`The contact id field ${contactOfLocation.predicate}`];
  else {
    const fault = await findFault(change, workflow, contactId);
    if (fault !== undefined) errors["contact_id"] = [`The contact id field ${fault}`];
  }
  if (contact === undefined || Object.keys(errors).length > 0) throw new Invalid(errors);
  const [id] = await insertRows(change, runInsert, [
    {
      location_id: change.location.id,
      workflow_id: workflow.id,
      version_id: workflow.version_id,
      contact_id: contactId,
      status: "active",
      current_node_id: workflow.entry_node_id,
      due_at: change.now,
      context: JSON.stringify(context),
      trigger_event: triggerEvent,
      cause_run_id: cause?.runId ?? null,
      depth: cause?.depth ?? 0,
      origin_run_id: cause?.originRunId ?? null,
      enrolled_at: change.now,
    },
  ]);
  const run: WorkflowRunRow = {
    id: id!,
    workflow_id: workflow.id,
    contact_id: contactId,
    status: "active",
    current_node_id: workflow.entry_node_id,
    wait_reason: "none",
    due_at: change.now.getTime(),
    ended_reason: null,
    enrolled_at: change.now.getTime(),
    completed_at: null,
  };
  const { name } = workflow;
  raiseActivity(
    change,
    contactId,
    runStarted.of({ ...toWorkflowRun(run), workflow: { id: workflow.id, name }, contact }),
  );
  return run;
}

/** Why a locked contact cannot have another run, as a predicate. */
async function findFault(
  change: Change<LocationContext>,
  { id, allow_reentry }: EnteredWorkflow,
  contactId: number,
): Promise<string | undefined> {
  const [runs] = await change.rows<{ all_runs: number; of_workflow: number }>(runsText, [id, contactId]);
  if (!allow_reentry && Number(runs!.of_workflow) > 0)
    return "names a contact that has an active run of this workflow already.";
  return Number(runs!.all_runs) >= limits.workflowRun.ofContact
    ? `names a contact that has ${limits.workflowRun.ofContact} active runs, the most that one can have.`
    : undefined;
}

/** How a run ends. */
interface Ending {
  readonly reason: EndedReason;
  /** Why it failed, as a sentence for people. */
  readonly error?: string;
}

const dropPostText = "delete from workflow_posts where run_id = ?";

/** Ends a run, which is locked as its contact is, and raises workflow.run_finished; returns the ended run. */
export function endRun(
  change: Change<LocationContext>,
  run: LivingRunRow,
  contact: ContactReference,
  { reason, error }: Ending,
): WorkflowRunRow {
  const told = error === undefined ? null : truncate(error, limits.workflowRun.error);
  const status = endings[reason];
  updateRow(change, endUpdate, run.id, {
    status,
    current_node_id: run.current_node_id,
    wait_reason: "none",
    due_at: null,
    awaited_event: null,
    waiting_since: null,
    ended_reason: reason,
    error: told,
    completed_at: change.now,
  });
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
  raiseActivity(change, run.contact_id, runFinished.of({ ...toWorkflowRun(ended), workflow, contact, error: told }));
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

/** Ends a run of the location as `removed`; returns the ended run. Refuses `workflow_run.not_found`, and with 422 on `run` one that is over. */
export async function removeRun(change: Change<LocationContext>, id: number): Promise<WorkflowRunRow> {
  const found = await findWorkflowRun(change, id);
  if (found === undefined) throw new Refusal("workflow_run.not_found");
  const contact = await lockIfNotDeleted(change, found.contact_id);
  const [run] = await lockRuns(change, [id]);
  if (contact === undefined || run === undefined) throw new Invalid({ run: ["The run is over already."] });
  return endRun(change, run, contact, { reason: "removed" });
}
