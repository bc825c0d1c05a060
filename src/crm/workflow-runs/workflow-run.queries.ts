/** Reads workflow runs: one, a page, and the active ones of a contact. */
import type { Change, LocationContext, Reader } from "../../events/caller.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { listed } from "../../storage/json.ts";
import { defineNarrowedList } from "../../storage/keyset/narrowed.ts";
import type { ListFilter } from "../../storage/keyset/narrowed.ts";
import { forUpdate } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { survivorOfParameter } from "../contact-redirects.ts";
import type { ContactMove } from "../contact-neighbour.ts";
import type { WorkflowRunListQuery } from "./workflow-run.schema.ts";
import { toWorkflowRun, toWorkflowRunItem } from "./workflow-run.view.ts";
import type {
  WorkflowRunDetailRow,
  WorkflowRunItemRow,
  WorkflowRunItemView,
  WorkflowRunRow,
  WorkflowRunView,
} from "./workflow-run.view.ts";

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

const itemColumns = `${columns}, workflow_runs.waiting_since, workflow_runs.awaited_event, workflow_runs.awaited_channel_id,
  workflow_runs.error, workflow_runs.attempts`;

const detailText = `select ${itemColumns}, workflow_versions.number as version, workflow_runs.context, workflow_runs.trigger_event
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

const actingText = `select id, workflow_id, origin_run_id, context, trigger_event from workflow_runs where id = ?`;

/** A run while one of its nodes is performed. */
interface ActingRunRow {
  readonly id: number;
  readonly workflow_id: number;
  readonly origin_run_id: number | null;
  readonly context: string;
  readonly trigger_event: EventName | null;
}

/** The run for which a change is made; undefined in a dry run, and for any other change. */
export async function findActingRun(change: Change<LocationContext>): Promise<ActingRunRow | undefined> {
  if (change.cause === null) return undefined;
  const [run] = await change.rows<ActingRunRow>(actingText, [change.cause.runId]);
  return run;
}

type RunPosition = [id: number];

const findRuns = defineNarrowedList<WorkflowRunItemRow>({
  table: "workflow_runs",
  columns: ["id"],
  direction: "desc",
  select: itemsText,
});

/** A page of the runs of a workflow of the location, newest first. Refuses a cursor of another list. */
export function listWorkflowRuns(
  reader: Reader<LocationContext>,
  workflowId: number,
  { cursor, limit, ...filters }: WorkflowRunListQuery & PageQuery,
): Promise<Page<WorkflowRunItemView>> {
  const conditions = conditionsOf(workflowId, filters);
  return page(
    reader.tools.cursors,
    { cursor, limit },
    {
      list: `workflow runs ${workflowId} ${JSON.stringify(filters)}`,
      find: (after: RunPosition | undefined, most) =>
        findRuns({ rows: reader.rows, conditions, after, most, holder: queueKeyOf(reader) }),
      placeOf: ({ id }): RunPosition => [id],
      show: toWorkflowRunItem,
    },
  );
}

/** Each has an index in the order of the list. */
function conditionsOf(workflowId: number, { status, contact_id: contactId }: WorkflowRunListQuery): ListFilter[] {
  const index = "order";
  const conditions: ListFilter[] = [{ text: "workflow_id = ?", params: [workflowId], index }];
  if (status !== undefined)
    conditions.push({ text: "workflow_id = ? and status = ?", params: [workflowId, status], index });
  if (contactId !== undefined)
    conditions.push({
      text: `contact_id = ${survivorOfParameter} and workflow_id = ?`,
      params: [contactId, contactId, workflowId],
      index,
    });
  return conditions;
}

function itemsText(found: SqlText): SqlText {
  return sql`select ${itemColumns} from ${found} order by workflow_runs.id desc`;
}

const ofContactPageText = `select ${columns} from workflow_runs
  where contact_id = ? and (workflow_id, id) > (?, ?) order by workflow_id, id limit ?`;

/** A page of the runs of a contact, by workflow. Refuses a cursor of another list. */
export function listRunsOfContact(reader: Reader, contactId: number, query: PageQuery): Promise<Page<WorkflowRunView>> {
  return page(reader.tools.cursors, query, {
    list: `workflow runs of ${contactId}`,
    find: ([workflowId, id]: [workflowId: number, id: number] = [0, 0], most) =>
      reader.rows<WorkflowRunRow>(ofContactPageText, [contactId, workflowId, id, most]),
    placeOf: ({ workflow_id, id }): [number, number] => [workflow_id, id],
    show: toWorkflowRun,
  });
}

/** An active or waiting run, with what the event of its end needs. */
export interface LivingRunRow extends WorkflowRunRow {
  readonly workflow_name: string;
}

const living = "workflow_runs.status in ('active', 'waiting')";

const livingText = `select ${columns}, workflows.name as workflow_name
  from workflow_runs join workflows on workflows.id = workflow_runs.workflow_id`;

const ofContactText = sql`${livingText} where workflow_runs.contact_id = ? and ${living}
  order by workflow_runs.id${forUpdate("workflow_runs")}`;

const ofIdsText = sql`${livingText} where workflow_runs.id in ${listed} and ${living}
  order by workflow_runs.id${forUpdate("workflow_runs")}`;

/** Locks the active runs of a locked contact: at most limits.workflowRun.ofContact. */
export function lockRunsOfContact(change: Change<LocationContext>, contactId: number): Promise<LivingRunRow[]> {
  return change.rows<LivingRunRow>(ofContactText, [contactId]);
}

const repeatedText = sql`${livingText} where workflow_runs.contact_id = ? and ${living} and workflow_runs.location_id = ? and
    workflow_runs.workflow_id in (select workflow_id from workflow_runs where contact_id = ? and status in ('active', 'waiting'))
  order by workflow_runs.id${forUpdate("workflow_runs")}`;

/** Locks the active runs of a contact of the location in workflows in which another one has an active run, too; both contacts are locked. */
export function lockRepeatedRuns(change: Change<LocationContext>, { from, to }: ContactMove): Promise<LivingRunRow[]> {
  return change.rows<LivingRunRow>(repeatedText, [from, change.location.id, to]);
}

/** Locks the runs that are not over; their contacts are locked already. */
export function lockRuns(change: Change<LocationContext>, ids: readonly number[]): Promise<LivingRunRow[]> {
  return change.rows<LivingRunRow>(ofIdsText, [JSON.stringify(ids)]);
}
