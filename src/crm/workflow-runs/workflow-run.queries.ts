/** Reads workflow runs: one, a page, and the active ones of a contact. */
import type { Change, LocationContext, Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page } from "../../kit/page.ts";
import { listed } from "../../storage/json.ts";
import { untilCommit } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import type { WorkflowRunListQuery } from "./workflow-run.schema.ts";
import { toWorkflowRun } from "./workflow-run.view.ts";
import type { WorkflowRunDetailRow, WorkflowRunRow, WorkflowRunView } from "./workflow-run.view.ts";

const columns = `workflow_runs.id, workflow_runs.workflow_id, workflow_runs.contact_id, workflow_runs.status,
  workflow_runs.current_node_id, workflow_runs.wait_reason, workflow_runs.due_at, workflow_runs.ended_reason,
  workflow_runs.enrolled_at, workflow_runs.completed_at`;

const oneText = `select ${columns} from workflow_runs where id = ? and location_id = ?`;

/** The run with this id, if it is one of the location. */
export async function findWorkflowRun(
  reader: Reader<LocationContext>,
  id: number,
): Promise<WorkflowRunRow | undefined> {
  const [row] = await reader.rows<WorkflowRunRow>(oneText, [id, reader.location.id]);
  return row;
}

const detailText = `select ${columns}, workflow_versions.number as version, workflow_runs.context, workflow_runs.trigger_event,
    workflow_runs.error
  from workflow_runs join workflow_versions on workflow_versions.id = workflow_runs.version_id
  where workflow_runs.id = ? and workflow_runs.location_id = ?`;

/** The same with its context and its error. */
export async function findWorkflowRunDetail(
  reader: Reader<LocationContext>,
  id: number,
): Promise<WorkflowRunDetailRow | undefined> {
  const [row] = await reader.rows<WorkflowRunDetailRow>(detailText, [id, reader.location.id]);
  return row;
}

type RunPosition = [id: number];

/** A page of the runs of a workflow of the location, newest first. Refuses a cursor of another list. */
export function listWorkflowRuns(
  reader: Reader<LocationContext>,
  workflowId: number,
  { cursor, ...narrowing }: WorkflowRunListQuery,
): Promise<Page<WorkflowRunView>> {
  const { status, contact_id: contactId } = narrowing;
  const conditions = [
    "workflow_runs.workflow_id = ?",
    ...(status === undefined ? [] : ["workflow_runs.status = ?"]),
    ...(contactId === undefined ? [] : ["workflow_runs.contact_id = ?"]),
    "workflow_runs.id < ?",
  ];
  const params = [workflowId, status, contactId].filter((value) => value !== undefined);
  return page(
    reader.tools.cursors,
    { cursor },
    {
      list: `workflow runs ${workflowId} ${JSON.stringify(narrowing)}`,
      find: ([before]: RunPosition = [Number.MAX_SAFE_INTEGER], most) =>
        reader.rows<WorkflowRunRow>(
          `select ${columns} from workflow_runs where ${conditions.join(" and ")} order by workflow_runs.id desc limit ?`,
          [...params, before, most],
        ),
      placeOf: ({ id }): RunPosition => [id],
      show: toWorkflowRun,
    },
  );
}

/** An active or waiting run, with what the event of its end needs. */
export interface LivingRunRow extends WorkflowRunRow {
  readonly workflow_name: string;
}

const living = "workflow_runs.status in ('active', 'waiting')";

const livingText = `select ${columns}, workflows.name as workflow_name
  from workflow_runs join workflows on workflows.id = workflow_runs.workflow_id`;

const ofContactText = sql`${livingText} where workflow_runs.contact_id = ? and ${living}
  order by workflow_runs.id${untilCommit("workflow_runs")}`;

const ofIdsText = sql`${livingText} where workflow_runs.id in ${listed} and ${living}
  order by workflow_runs.id${untilCommit("workflow_runs")}`;

/** Locks the active runs of a locked contact: at most limits.workflowRun.ofContact. */
export function lockRunsOfContact(change: Change<LocationContext>, contactId: number): Promise<LivingRunRow[]> {
  return change.rows<LivingRunRow>(ofContactText, [contactId]);
}

/** Locks the runs that are not over; their contacts are locked already. */
export function lockRuns(change: Change<LocationContext>, ids: readonly number[]): Promise<LivingRunRow[]> {
  return change.rows<LivingRunRow>(ofIdsText, [JSON.stringify(ids)]);
}
