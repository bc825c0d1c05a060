/** Retries failed runs: each continues at the node that failed, once, however many requests ask. */
import type { Caller, Change, LocationContext } from "../../events/caller.ts";
import { listed } from "../../storage/json.ts";
import { forShare, forUpdate } from "../../storage/locks.ts";
import { inOwnedOrder, inOwnedRange, ownedBy } from "../../storage/reading/owned-range.ts";
import { keepToLookUps } from "../../storage/query-plans.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { lockContacts } from "../contact-activity.ts";
import { createStepLog } from "./run-steps.ts";
import { findWorkflowRun } from "./workflow-run.queries.ts";
import type { WorkflowRunRow } from "./workflow-run.view.ts";

/** A failed run, and what decides whether it may continue. */
interface FailedRow {
  readonly id: number;
  readonly workflow_id: number;
  readonly contact_id: number;
  readonly status: WorkflowRunRow["status"];
  readonly current_node_id: string;
  readonly step_count: number;
  /** Of the last step, which is the one that failed; null for a run from before histories were kept. */
  readonly type: string | null;
}

interface RetriedWorkflow {
  readonly id: number;
  readonly allow_reentry: boolean | number;
  readonly version_id: number | null;
}

const contactsText = sql`select distinct contact_id from workflow_runs where id in ${listed}`;

const workflowsText = sql`select id, allow_reentry, version_id from workflows
  where id in (select workflow_id from workflow_runs where id in ${listed}) order by id${forShare("workflows")}`;

const runsText = sql`select id, workflow_id, contact_id, status, current_node_id, step_count,
    (select type from workflow_run_steps where run_id = workflow_runs.id
      and slot = (workflow_runs.step_count + ${limits.workflowRun.steps - 1}) % ${limits.workflowRun.steps}) as type
  from workflow_runs where id in ${listed} and location_id = ? order by id${forUpdate("workflow_runs")}`;

const activeText = sql`select contact_id, workflow_id, count(*) as runs from workflow_runs
  where contact_id in ${listed} and status in ('active', 'waiting') group by contact_id, workflow_id`;

const retryText = sql`update workflow_runs set status = 'active', due_at = ?, attempts = 0, ended_reason = null, error = null,
    completed_at = null, step_count = step_count + 1 where id in ${listed}`;

/**
 * Makes failed runs due at their node; returns why each of the others cannot continue, by id. A run that was retried meanwhile is active, and
 * so refused. It keeps its turn: what its node posts has the same id as before.
 */
async function retrySome(change: Change<LocationContext>, ids: readonly number[]): Promise<Map<number, string>> {
  const given = JSON.stringify(ids);
  keepToLookUps(change);
  // Contacts, workflows, runs (docs/lock-order.md).
  const contacts = await change.rows<{ contact_id: number }>(contactsText, [given]);
  const living = new Set(
    await lockContacts(
      change,
      contacts.map(({ contact_id }) => contact_id),
    ),
  );
  const workflows = new Map((await change.rows<RetriedWorkflow>(workflowsText, [given])).map((one) => [one.id, one]));
  const runs = await change.rows<FailedRow>(runsText, [given, change.location.id]);
  const active = await change.rows<{ contact_id: number; workflow_id: number; runs: number }>(activeText, [
    JSON.stringify([...living]),
  ]);
  const counts = countActive(active);
  const faults = new Map<number, string>();
  const retried: FailedRow[] = [];
  for (const run of runs) {
    const workflow = workflows.get(run.workflow_id)!;
    const fault = findFault(run, { workflow, isContactLiving: living.has(run.contact_id), ...counts.of(run) });
    if (fault !== undefined) faults.set(run.id, fault);
    else {
      counts.add(run);
      retried.push(run);
    }
  }
  if (retried.length === 0) return faults;
  const log = createStepLog();
  for (const run of retried)
    log.add(run, [
      {
        nodeId: run.current_node_id,
        type: run.type ?? "unknown",
        at: change.now.getTime(),
        outcome: "retried",
        detail: {},
        attempt: 1,
      },
    ]);
  change.send(retryText, [change.now, JSON.stringify(retried.map(({ id }) => id))]);
  log.write(change);
  return faults;
}

interface Judged {
  readonly workflow: RetriedWorkflow;
  readonly isContactLiving: boolean;
  /** The active runs of its contact, of all workflows and of its own. */
  readonly all: number;
  readonly ofWorkflow: number;
}

/** Why a run cannot continue, as a sentence: as for a new run, its contact must be free for it. */
function findFault({ status }: FailedRow, { workflow, isContactLiving, all, ofWorkflow }: Judged): string | undefined {
  if (status !== "failed") return `Only a failed run can be retried; this one is ${status}.`;
  if (!isContactLiving) return "The contact of the run was deleted.";
  if (workflow.version_id === null) return "The workflow of the run is not published.";
  if (!workflow.allow_reentry && ofWorkflow > 0) return "The contact has an active run of this workflow already.";
  return all >= limits.workflowRun.ofContact
    ? `The contact has ${limits.workflowRun.ofContact} active runs, the most that one can have.`
    : undefined;
}

type Entered = Pick<FailedRow, "contact_id" | "workflow_id">;

/** Counts the active runs of contacts, with those that are retried in the same change. */
function countActive(rows: readonly (Entered & { readonly runs: number })[]) {
  const counts = new Map<string, number>();
  const keysOf = ({ contact_id, workflow_id }: Entered) => [`${contact_id}`, `${contact_id} ${workflow_id}`] as const;
  function add(entered: Entered, runs = 1): void {
    for (const key of keysOf(entered)) counts.set(key, (counts.get(key) ?? 0) + runs);
  }
  for (const row of rows) add(row, Number(row.runs));
  return {
    add,
    of(entered: Entered) {
      const [all, ofWorkflow] = keysOf(entered).map((key) => counts.get(key) ?? 0) as [number, number];
      return { all, ofWorkflow };
    },
  };
}

/** Retries a failed run of the location. Refuses `workflow_run.not_found`, and with 422 on `run` one that cannot continue. */
export async function retryRun(change: Change<LocationContext>, id: number): Promise<WorkflowRunRow> {
  if ((await findWorkflowRun(change, id)) === undefined) throw new Refusal("workflow_run.not_found");
  const fault = (await retrySome(change, [id])).get(id);
  if (fault !== undefined) throw new Invalid({ run: [fault] });
  const retried = await findWorkflowRun(change, id);
  // It may have been deleted with its workflow in the meantime.
  if (retried === undefined) throw new Refusal("workflow_run.not_found");
  return retried;
}

const atOnce = 100;

/** Failed runs of one slice, of which any number may have failed before. */
const failedOfSlice = 500;
/** By their index of workflow, status and id. */
const places = { owner: "workflow_id", place: "id", byEquality: true };
const failedText = sql`select id, completed_at >= ? as is_wanted from ${ownedBy("workflow_runs")}
  where ${inOwnedRange(places, { ">": "?" })} and status = 'failed' order by ${inOwnedOrder(places)} limit ${failedOfSlice}`;

export interface RetriedRuns {
  readonly retried: number;
  /** Those that cannot continue, by the reason. */
  readonly refused: Readonly<Record<string, number>>;
}

/** Retries the runs of a workflow that failed since then, a hundred per transaction. If it is interrupted, run it again to finish. */
export async function retryFailedRuns(
  caller: Caller<LocationContext>,
  workflowId: number,
  since: Date,
): Promise<RetriedRuns> {
  let retried = 0;
  const refused: Record<string, number> = {};
  for (let behind = 0; ;) {
    const failed = await caller.rows<{ id: number; is_wanted: boolean | number }>(failedText, [
      since,
      workflowId,
      behind,
    ]);
    const wanted = failed.flatMap(({ id, is_wanted }) => (is_wanted ? id : []));
    const ids = wanted.slice(0, atOnce);
    if (ids.length > 0) {
      const faults = await caller.change((change) => retrySome(change, ids));
      retried += ids.length - faults.size;
      for (const fault of faults.values()) refused[fault] = (refused[fault] ?? 0) + 1;
    }
    if (failed.length < failedOfSlice && wanted.length <= atOnce) return { retried, refused };
    behind = wanted.length > atOnce ? ids.at(-1)! : failed.at(-1)!.id;
  }
}
