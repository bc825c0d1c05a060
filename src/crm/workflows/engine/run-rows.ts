/** Reads and locks the runs that the engine moves, and writes their states. */
import type { LocationContext } from "../../../events/caller.ts";
import type { Identity } from "../../../events/call-as.ts";
import { Superseded } from "../../../events/attempts/superseded.ts";
import type { Database } from "../../../storage/database.ts";
import { defineUpdate, updateRow } from "../../../storage/inserting/insert.ts";
import { skipLocked, forUpdate } from "../../../storage/locks.ts";
import { lookUpEach } from "../../../storage/reading/lateral.ts";
import { integerParameter } from "../../../storage/rows.ts";
import type { Rows, Writer } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import { truncate } from "../../../kit/text.ts";
import type { EventName } from "../../../vocabulary/events.ts";
import { limits } from "../../../vocabulary/limits.ts";
import type { LivingRunRow } from "../../workflow-runs/workflow-run.queries.ts";
import { actAsWorkflow } from "../act-as-workflow.ts";
import { delayAfter } from "../walk/retry.ts";
import type { RunState } from "../walk/run-state.ts";

/** An active or waiting run, as the engine needs it; times in milliseconds. */
export interface RunRow extends LivingRunRow {
  readonly current_node_id: string;
  readonly version_id: number;
  readonly awaited_event: EventName | null;
  /** The position in the event log after which events end its wait. */
  readonly events_after: number | null;
  readonly awaited_channel_id: number | null;
  readonly waiting_since: number | null;
  readonly context: string;
  readonly attempts: number;
  readonly depth: number;
  readonly has_replied: boolean | number;
  readonly turn: number;
  readonly step_count: number;
  /** Why the last attempt at its node failed. */
  readonly error: string | null;
  /** The unpublished workflow ends its runs up to this id. */
  readonly ends_runs_up_to: number | null;
  readonly workspace_id: number;
  readonly location_id: number;
  readonly country: string;
  readonly timezone: string;
  readonly contact_name: string;
  readonly contact_phone_display: string | null;
  readonly contact_email: string | null;
  readonly contact_deleted_at: number | null;
}

const columns = `workflow_runs.id, workflow_runs.workflow_id, workflow_runs.contact_id, workflow_runs.status,
  workflow_runs.current_node_id, workflow_runs.wait_reason, workflow_runs.due_at, workflow_runs.ended_reason,
  workflow_runs.enrolled_at, workflow_runs.completed_at, workflow_runs.version_id, workflow_runs.awaited_event,
  workflow_runs.events_after, workflow_runs.awaited_channel_id,
  workflow_runs.waiting_since, workflow_runs.context, workflow_runs.attempts, workflow_runs.depth,
  workflow_runs.has_replied, workflow_runs.turn, workflow_runs.step_count, workflow_runs.error, workflows.name as workflow_name, workflows.ends_runs_up_to,
  locations.workspace_id, locations.id as location_id, locations.country, locations.timezone,
  contacts.name as contact_name, contacts.phone_display as contact_phone_display, contacts.email as contact_email,
  contacts.deleted_at as contact_deleted_at`;

const tables = `workflow_runs join workflows on workflows.id = workflow_runs.workflow_id
  join contacts on contacts.id = workflow_runs.contact_id join locations on locations.id = workflow_runs.location_id`;

function isLiving({ status }: RunRow): boolean {
  return status === "active" || status === "waiting";
}

/** A due run, and the contact that it had when it was picked. */
export type DueRun = Pick<RunRow, "id" | "contact_id">;

const pickText = sql`select workflow_runs.id, workflow_runs.contact_id from workflow_runs join contacts on contacts.id = workflow_runs.contact_id
  where workflow_runs.due_at <= ? order by workflow_runs.due_at, workflow_runs.id
  limit ${integerParameter}${skipLocked("contacts")}`;

/** At most `most` due runs, the longest due first. Their contacts are locked, deleted ones too; locked contacts are skipped. */
export function pickDue(rows: Rows, now: Date, most: number): Promise<DueRun[]> {
  return rows.rows<DueRun>(pickText, [now, most]);
}

/** Whether they are over is judged here: as a condition it would lead PostgreSQL, before it analyzes the table, to an index of all of them. */
const lockText = lookUpEach({ columns, from: tables, column: "workflow_runs.id", locks: "workflow_runs" });

/** Locks runs in the order of their ids, as every transaction does; their contacts are locked already. Ended runs are left out. */
export async function lockDueRuns(rows: Rows, ids: readonly number[]): Promise<RunRow[]> {
  const inOrder = ids.toSorted((one, other) => one - other);
  return (await rows.rows<RunRow>(lockText, [JSON.stringify(inOrder)])).filter(isLiving);
}

const lockContactText = sql`select id from contacts where id = ?${forUpdate("contacts")}`;

/** Locks the contact, then the run; undefined if it is over. `between` locks what comes between both. */
export async function lockRun(
  rows: Rows,
  { id, contact_id }: Pick<RunRow, "id" | "contact_id">,
  between?: () => Promise<void> | undefined,
): Promise<RunRow | undefined> {
  await rows.rows(lockContactText, [contact_id]);
  await between?.();
  return (await lockDueRuns(rows, [id]))[0];
}

const readText = sql`select ${columns} from ${tables} where workflow_runs.id = ?`;

/** Without a lock; undefined if it is over. */
export async function findRun(rows: Rows, id: number): Promise<RunRow | undefined> {
  const [run] = await rows.rows<RunRow>(readText, [id]);
  return run !== undefined && isLiving(run) ? run : undefined;
}

/** Finds the run, then locks it; undefined if it is over. Begins the change anew if its contact was merged meanwhile. */
export async function findAndLockRun(rows: Rows, id: number): Promise<RunRow | undefined> {
  const found = await findRun(rows, id);
  const run = found && (await lockRun(rows, found));
  if (run !== undefined && run.contact_id !== found!.contact_id)
    throw new Superseded(new Map([[found!.contact_id, run.contact_id]]));
  return run;
}

const nextText = "select due_at from workflow_runs where due_at is not null order by due_at, id limit 1";

/** When the next run is due, in milliseconds; null if none is. */
export async function findNextDue(rows: Rows): Promise<number | null> {
  const [next] = await rows.rows<{ due_at: number | null }>(nextText);
  return next?.due_at ?? null;
}

/** Makes a due run due later, whatever its state. */
export async function postpone(database: Database, id: number, until: Date): Promise<void> {
  await database.transaction(({ rows }) =>
    rows("update workflow_runs set due_at = ? where id = ? and due_at is not null", [until, id]),
  );
}

/** The identity under which the nodes of a run act. */
export function identityOf(run: RunRow): Identity<LocationContext> {
  return actAsWorkflow(run, { runId: run.id, depth: run.depth + 1 });
}

/** The `context` of its templates and filters. */
export function contextOf(run: RunRow): Readonly<Record<string, unknown>> {
  return JSON.parse(run.context) as Readonly<Record<string, unknown>>;
}

export function toRunState(run: RunRow): RunState {
  return {
    status: run.status,
    nodeId: run.current_node_id,
    waitReason: run.wait_reason,
    waitingSince: run.waiting_since,
    dueAt: run.due_at,
    retryAt: toRetryAt(run),
    awaitedEvent: run.awaited_event,
    awaitedChannel: run.awaited_channel_id,
    hasReplied: Boolean(run.has_replied),
    endedReason: null,
    error: run.error,
  };
}

/** A wake-up makes a run due, but does not shorten a retry delay. */
function toRetryAt({ status, attempts, waiting_since: since }: RunRow): number | null {
  const delay = status === "waiting" ? delayAfter(attempts) : undefined;
  return since === null || delay === undefined ? null : since + delay;
}

const stateUpdate = defineUpdate("workflow_runs", [
  "status",
  "current_node_id",
  "wait_reason",
  "due_at",
  "awaited_event",
  "awaited_channel_id",
  "waiting_since",
  "attempts",
  "has_replied",
  "turn",
  "step_count",
  "error",
]);

interface RunProgress {
  readonly completed: number;
  readonly attempts: number;
  readonly stepCount: number;
  /** Whether it has come to a webhook node: then its post is due, and the engine has nothing to do. */
  readonly isPost: boolean;
}

/** Writes the state of a run that is not over. */
export function writeState(
  change: Writer,
  run: RunRow,
  state: RunState,
  { completed, attempts, stepCount, isPost }: RunProgress,
): void {
  updateRow(change, stateUpdate, run.id, {
    status: state.status,
    current_node_id: state.nodeId,
    wait_reason: state.waitReason,
    due_at: toDate(isPost ? null : state.dueAt),
    awaited_event: state.awaitedEvent,
    awaited_channel_id: state.awaitedChannel,
    waiting_since: toDate(state.waitingSince),
    attempts,
    has_replied: state.hasReplied,
    turn: run.turn + completed,
    step_count: stepCount,
    error: state.error === null ? null : truncate(state.error, limits.workflowRun.error),
  });
}

function toDate(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
