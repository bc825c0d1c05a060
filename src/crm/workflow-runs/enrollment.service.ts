/** Starts workflow runs: enrolls one contact, or several in a bounded number of statements. */
import type { Change, LocationContext } from "../../events/caller.ts";
import type { Cause } from "../../events/event-record.ts";
import { defineInsert, insertRows } from "../../storage/inserting/insert.ts";
import { listed } from "../../storage/json.ts";
import { forShare } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import type { FieldErrors } from "../../vocabulary/errors.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { limits } from "../../vocabulary/limits.ts";
import {
  contactOfLocation,
  lockContactReferences,
  lockIfNotDeleted,
  raiseActivities,
  raiseActivity,
} from "../contact-activity.ts";
import type { ContactReference } from "../contact-activity.ts";
import { runStarted } from "./workflow-run.events.ts";
import { countCaused, requireUnthrottled } from "./throttle.ts";
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
      "awaited_channel_id",
      "waiting_since",
      "ended_reason",
      "error",
      "attempts",
      "caused_runs",
      "has_replied",
      "events_after",
      "turn",
      "step_count",
      "completed_at",
    ],
  },
);

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
  where id = ? and location_id = ?${forShare("workflows")}`;

/** Locks a workflow as `enroll` does, for a caller that must lock it earlier. */
export async function shareWorkflow(change: Change<LocationContext>, id: number): Promise<void> {
  await change.rows(workflowText, [id, change.location.id]);
}

interface EnteredWorkflow {
  readonly id: number;
  readonly name: string;
  readonly allow_reentry: boolean | number;
  readonly version_id: number | null;
  readonly entry_node_id: string | null;
}

const activeText = sql`select contact_id, count(*) as all_runs, count(case when workflow_id = ? then 1 end) as of_workflow
  from workflow_runs where contact_id in ${listed} and status in ('active', 'waiting') group by contact_id`;

/** The same for one: without a list PostgreSQL knows that it looks up one contact, also before it analyzes the table. */
const activeOfOneText = `select contact_id, count(*) as all_runs, count(case when workflow_id = ? then 1 end) as of_workflow
  from workflow_runs where contact_id = ? and status in ('active', 'waiting') group by contact_id`;

/** The active runs of a contact, of all workflows and of one. */
interface ActiveRuns {
  readonly all_runs: number;
  readonly of_workflow: number;
}

type CountedContact = ActiveRuns & { readonly contact_id: number };

const noRuns: ActiveRuns = { all_runs: 0, of_workflow: 0 };

/**
 * Starts a run and raises workflow.run_started (specification, "Workflow run"). Refuses `workflow.not_found`, and with 422, before
 * anything is written: on `workflow` one that is not published; on `contact_id` a contact that is not of the location, one with an active run
 * unless re-entry is allowed, and one at the limit of active runs. Throws
 * Throttled when an event or another run starts more runs than a limit allows. The contact is locked, which serializes concurrent
 * enrollments; the workflow is share-locked, so it stays published until the commit.
 */
export async function enroll(
  change: Change<LocationContext>,
  { contactId: givenId, ...enrollment }: Enrollment,
): Promise<WorkflowRunRow> {
  const contact = await lockIfNotDeleted(change, givenId);
  const contactId = contact?.id ?? givenId;
  const workflow = await lockEntered(change, enrollment.workflowId);
  const errors: FieldErrors = {};
  if (workflow.version_id === null) errors["workflow"] = [notPublished];
  if (contact === undefined) errors["contact_id"] = [unknownContact];
  else {
    const fault = findFault(workflow, (await countActive(change, workflow.id, [contactId])).get(contactId));
    if (fault !== undefined) errors["contact_id"] = [fault];
  }
  if (contact === undefined || Object.keys(errors).length > 0) throw new Invalid(errors);
  const { cause = null, triggerEvent = null } = enrollment;
  const originRunId = cause?.originRunId ?? null;
  if (cause !== null || triggerEvent !== null)
    await requireUnthrottled(change, { workflowId: workflow.id, contactId, originRunId });
  if (originRunId !== null) countCaused(change, originRunId);
  const [id] = await insertRows(change, runInsert, [toRow(change, workflow, { contactId, ...enrollment })]);
  const run = toStarted(change, workflow, contactId, id!);
  raiseActivity(change, contactId, startOf(run, workflow, contact));
  return run;
}

/** The enrollment of several contacts. */
export interface Enrollments extends Omit<Enrollment, "contactId"> {
  readonly contactIds: readonly number[];
}

/** The run of a contact, or why it has none, as a sentence. */
export type EnrolledContact = { readonly contactId: number } & (
  | { readonly run: WorkflowRunRow; readonly fault?: undefined }
  | { readonly run?: undefined; readonly fault: string }
);

/**
 * The same for several contacts, each once, in a number of statements that does not depend on how many there are. Resolves to one result
 * per contact, in the order given. Refuses `workflow.not_found`, and with 422 on `workflow` one that is not published.
 */
export async function enrollContacts(
  change: Change<LocationContext>,
  { contactIds, ...enrollment }: Enrollments,
): Promise<EnrolledContact[]> {
  const locked = await lockContactReferences(change, contactIds);
  const ids = [...new Set(contactIds.map((id) => locked.get(id)?.id ?? id))];
  const contacts = new Map([...locked.values()].map((contact) => [contact.id, contact]));
  const workflow = await lockEntered(change, enrollment.workflowId);
  if (workflow.version_id === null) throw new Invalid({ workflow: [notPublished] });
  const active = await countActive(change, workflow.id, [...contacts.keys()]);
  const faultOf = (id: number) => (contacts.has(id) ? findFault(workflow, active.get(id)) : unknownContact);
  const faults = new Map(ids.map((id) => [id, faultOf(id)]));
  const entering = ids.filter((id) => faults.get(id) === undefined);
  const runIds = await insertRows(
    change,
    runInsert,
    entering.map((contactId) => toRow(change, workflow, { contactId, ...enrollment })),
  );
  const runs = new Map(entering.map((id, place) => [id, toStarted(change, workflow, id, runIds[place]!)]));
  raiseActivities(
    change,
    entering.map((id) => ({ contactId: id, record: startOf(runs.get(id)!, workflow, contacts.get(id)!) })),
  );
  return ids.map((contactId): EnrolledContact => {
    const run = runs.get(contactId);
    return run === undefined ? { contactId, fault: faults.get(contactId)! } : { contactId, run };
  });
}

const notPublished = "The workflow is not published.";
const unknownContact = `The contact id field ${contactOfLocation.predicate}`;

/** Share-locks the workflow that contacts enter. Refuses `workflow.not_found`. */
async function lockEntered(change: Change<LocationContext>, id: number): Promise<EnteredWorkflow> {
  const [workflow] = await change.rows<EnteredWorkflow>(workflowText, [id, change.location.id]);
  if (workflow === undefined) throw new Refusal("workflow.not_found");
  return workflow;
}

/** Active runs by contact. The contacts must be locked. */
async function countActive(
  change: Change<LocationContext>,
  workflowId: number,
  contactIds: readonly number[],
): Promise<Map<number, ActiveRuns>> {
  if (contactIds.length === 0) return new Map();
  const [first, ...others] = contactIds;
  const counts = await (others.length === 0
    ? change.rows<CountedContact>(activeOfOneText, [workflowId, first!])
    : change.rows<CountedContact>(activeText, [workflowId, JSON.stringify(contactIds)]));
  return new Map(counts.map((count) => [count.contact_id, count]));
}

/** Why a locked contact cannot have another run, as a sentence. */
function findFault(
  { allow_reentry }: EnteredWorkflow,
  { all_runs, of_workflow }: ActiveRuns = noRuns,
): string | undefined {
  if (!allow_reentry && Number(of_workflow) > 0)
    return "The contact id field names a contact that has an active run of this workflow already.";
  return Number(all_runs) >= limits.workflowRun.ofContact
    ? `The contact id field names a contact that has ${limits.workflowRun.ofContact} active runs, the most that one can have.`
    : undefined;
}

function toRow(
  { location, now }: Change<LocationContext>,
  workflow: EnteredWorkflow,
  { contactId, context, triggerEvent = null, cause = null }: Enrollment,
) {
  return {
    location_id: location.id,
    workflow_id: workflow.id,
    version_id: workflow.version_id,
    contact_id: contactId,
    status: "active",
    current_node_id: workflow.entry_node_id,
    due_at: now,
    context: JSON.stringify(context),
    trigger_event: triggerEvent,
    cause_run_id: cause?.runId ?? null,
    depth: cause?.depth ?? 0,
    origin_run_id: cause?.originRunId ?? null,
    enrolled_at: now,
  };
}

function toStarted(
  { now }: Change<LocationContext>,
  workflow: EnteredWorkflow,
  contactId: number,
  id: number,
): WorkflowRunRow {
  return {
    id,
    workflow_id: workflow.id,
    contact_id: contactId,
    status: "active",
    current_node_id: workflow.entry_node_id,
    wait_reason: "none",
    due_at: now.getTime(),
    ended_reason: null,
    enrolled_at: now.getTime(),
    completed_at: null,
  };
}

function startOf(run: WorkflowRunRow, { id, name }: EnteredWorkflow, contact: ContactReference) {
  return runStarted.of({ ...toWorkflowRun(run), workflow: { id, name }, contact });
}
