/** Which webhooks of runs are to be posted, and taking them for one worker alone, for as long as its lease lasts. */
import type { Share } from "../../../queues/sender.ts";
import type { Database } from "../../../storage/database.ts";
import { jsonRows } from "../../../storage/json-rows.ts";
import { listed } from "../../../storage/json.ts";
import { shareOfEach } from "../../../storage/reading/lateral.ts";
import type { Rows } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import { keepToLookUps } from "../../../storage/query-plans.ts";

/** A workflow with runs in front of a webhook. */
export interface DueWorkflow {
  readonly workflow_id: number;
  /** In milliseconds. */
  readonly due_at: number;
}

export interface ClaimedPost {
  /** Of the run. */
  readonly id: number;
  readonly workflow_id: number;
  /** Both must be the same when it is told what came of it. */
  readonly turn: number;
  readonly attempts: number;
}

/** The most of one workflow in one turn. */
export const mostPostsOfWorkflow = 16;
const workflowsAtOnce = 128;

const ofNext = "from workflow_runs where leased_until is not null";
/** From workflow to workflow over the index, however many runs each has. */
const workflows = `with recursive found(workflow_id) as (
    select min(workflow_id) ${ofNext}
    union all select (select min(workflow_id) ${ofNext} and workflow_runs.workflow_id > found.workflow_id)
      from found where found.workflow_id is not null
  ), due as (
    select workflow_id, (select min(leased_until) ${ofNext} and workflow_runs.workflow_id = found.workflow_id) as due_at
    from found where workflow_id is not null
  )`;

const dueText = sql`${workflows} select workflow_id, due_at from due where due_at <= ? and workflow_id not in ${listed}
  order by due_at, workflow_id limit ${workflowsAtOnce}`;

/** Whoever waited longest first; `full` are left out. Holds nothing. */
export function findDueWorkflows(rows: Rows, now: Date, full: readonly number[]): Promise<DueWorkflow[]> {
  return rows.rows(dueText, [now, JSON.stringify(full)]);
}

const nextText = `${workflows} select due_at from due order by due_at limit 1`;

/** When something is to be posted next; null while nothing is. */
export async function findNextPost(rows: Rows): Promise<Date | null> {
  const [next] = await rows.rows<{ due_at: number | null }>(nextText);
  return typeof next?.due_at === "number" ? new Date(next.due_at) : null;
}

const wanted = jsonRows({ workflow_id: "integer", take: "integer" });
const picked = shareOfEach({
  wanted: sql`${wanted} as wanted`,
  table: "workflow_runs",
  column: "workflow_id",
  where: "workflow_runs.leased_until is not null and workflow_runs.leased_until <= ?",
  order: ["leased_until", "id"],
  most: mostPostsOfWorkflow,
});

const takeText = sql`update workflow_runs set leased_until = ?, attempts = attempts + 1
  from ${picked} as picked where workflow_runs.id = picked.id and workflow_runs.status = 'active'
  returning workflow_runs.id, workflow_id, turn, attempts`;

interface PostClaim {
  readonly shares: readonly Share<DueWorkflow>[];
  readonly now: Date;
  readonly leaseMilliseconds: number;
}

/** Resolves to what was taken, when that is on disk: only then may it be posted. */
export function claimPosts(database: Database, { shares, now, leaseMilliseconds }: PostClaim): Promise<ClaimedPost[]> {
  return database.transaction(async (transaction) => {
    keepToLookUps(transaction);
    const takes = JSON.stringify(shares.map(({ due: { workflow_id }, take }) => ({ workflow_id, take })));
    return transaction.rows<ClaimedPost>(takeText, [new Date(now.getTime() + leaseMilliseconds), takes, now]);
  });
}
