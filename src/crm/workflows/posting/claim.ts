/** Leases posts that are due to one worker, takes back those of dead workers, and settles them under their fencing token. */
import type { Share } from "../../../queues/slots.ts";
import type { DeadLeases } from "../../../queues/reclaim-leases.ts";
import type { Database } from "../../../storage/database.ts";
import { listed } from "../../../storage/json.ts";
import { skipLocked } from "../../../storage/locks.ts";
import { keepToLookUps } from "../../../storage/query-plans.ts";
import type { Writer } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import { postQueue } from "./post-queue.ts";

/** A workflow with a post that is due. */
export interface DueWorkflow {
  readonly workflow_id: number;
}

export interface ClaimedPost {
  readonly id: number;
  readonly run_id: number;
  readonly workflow_id: number;
  /** The run's turn at its webhook node. */
  readonly turn: number;
  readonly attempt: number;
  /** A result is rejected unless it is still the same. */
  readonly fence: number;
}

const takeText = sql`update workflow_posts
  set due_at = null, leased_until = ?, leased_by = ?, fence = fence + 1, attempt = attempt + 1
  from ${postQueue.picked} as picked where workflow_posts.id = picked.id
  returning workflow_posts.id, run_id, workflow_id, turn, attempt, fence`;

interface PostClaim {
  readonly shares: readonly Share<DueWorkflow>[];
  readonly now: Date;
  readonly leaseMilliseconds: number;
  /** The claiming worker (`Workers.own`). */
  readonly worker: number | null;
}

/** Resolves when the leases are on disk: only then may the posts leave. */
export function claimPosts(
  database: Database,
  { shares, now, leaseMilliseconds, worker }: PostClaim,
): Promise<ClaimedPost[]> {
  return database.transaction(async (transaction) => {
    transaction.takesFrom(["workflow_posts", "workflow_queues"]);
    keepToLookUps(transaction);
    const takes = JSON.stringify(shares.map(({ due: { workflow_id }, take }) => ({ workflow_id, take })));
    const leasedUntil = new Date(now.getTime() + leaseMilliseconds);
    const taken = await transaction.rows<ClaimedPost>(takeText, [leasedUntil, worker, takes, now]);
    postQueue.settle(transaction, { served: shares.map(({ due }) => due.workflow_id), others: [], now });
    return taken;
  });
}

const batch = 500;
const deadText = sql`update workflow_posts set due_at = ?, leased_until = null where id in
  (select id from workflow_posts where leased_until is not null and (leased_until < ? or leased_by in ${listed})
    and id not in ${listed} order by leased_until limit ${batch}${skipLocked()}) returning workflow_id`;

interface PostReclaim extends DeadLeases {
  /** The posts in flight in this process, which is alive. */
  readonly flying: readonly number[];
}

/** Makes up to `batch` posts of dead workers due again; their attempt counts. Resolves to how many. */
export function reclaimDeadPosts(database: Database, { now, gone, flying }: PostReclaim): Promise<number> {
  return database.transaction(async (transaction) => {
    const dead = await transaction.rows<{ workflow_id: number }>(deadText, [
      now,
      now,
      JSON.stringify(gone),
      JSON.stringify(flying),
    ]);
    postQueue.bringForward(
      transaction,
      dead.map(({ workflow_id }) => ({ holder: workflow_id, dueAt: now })),
    );
    return dead.length;
  });
}

const takeOutText = "delete from workflow_posts where id = ? and fence = ? returning id";

/** Removes a post that is over from the queue; resolves to false if another worker has claimed it since. */
export async function takeOut(writer: Writer, { id, fence }: ClaimedPost): Promise<boolean> {
  return (await writer.rows(takeOutText, [id, fence])).length > 0;
}

const giveBackText = `update workflow_posts set due_at = ?, leased_until = null, attempt = attempt - 1
  where id = ? and fence = ? returning id`;

/** Makes a post due again whose attempt was aborted and does not count. */
export async function giveBack(writer: Writer, { id, fence, workflow_id }: ClaimedPost, now: Date): Promise<void> {
  if ((await writer.rows(giveBackText, [now, id, fence])).length === 0) return;
  postQueue.bringForward(writer, [{ holder: workflow_id, dueAt: now }]);
}
