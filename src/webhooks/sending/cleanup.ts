/** Cleans up deliveries: cancels those of removed webhooks, and deletes old ones. */
import { sendAppEventDeletion } from "../../events/record.ts";
import type { Database } from "../../storage/database.ts";
import { judged } from "../../storage/query-plans.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { hookQueue } from "../deliveries/hook-queue.ts";

const batch = 1000;

/**
 * Cancels up to a thousand queued deliveries of removed or disabled webhooks, or of those that no longer match
 * `mayBeTold`, a condition on `hooks`; resolves to their number.
 */
export async function cancelOrphans(database: Database, mayBeTold: SqlText, now: Date): Promise<number> {
  // A cross join keeps SQLite from reading all that is queued, to look up the webhook of each.
  const text = sql`select deliveries.id from hooks cross join deliveries
    where deliveries.hook_id = hooks.id and deliveries.due_at is not null
      and (hooks.removed_at is not null or hooks.status = 'disabled' or not ${mayBeTold}) limit ${batch}`;
  if ((await database.rows(text)).length === 0) return 0;
  return database.transaction(async (change) => {
    // Judged again as it is written: a worker may have claimed one meanwhile.
    const canceled = await change.rows<{ hook_id: number }>(
      sql`update deliveries set state = 'canceled', due_at = null where id in (${text}) and ${judged("due_at")} is not null returning hook_id`,
    );
    // No claim does so: the webhooks are not served.
    hookQueue.settle(change, { served: [], others: canceled.map(({ hook_id }) => hook_id), now });
    return canceled.length;
  });
}

/**
 * The oldest, up to a thousand attempts in total: each may hold four kilobytes of a response, and each replay adds
 * five. A condition on all deliveries would read those that stay as well.
 */
const oldText = `select id from (
    select id, sum(attempt) over (order by id) - attempt as attempts_before
    from (select id, attempt, created_at, leased_until from deliveries order by id limit ${batch}) as oldest
    where created_at < ? and leased_until is null
  ) as counted where attempts_before < ${batch}`;

// Judged again as it is deleted: a worker may have claimed one meanwhile.
const pruneText = sql`delete from deliveries where id in (${oldText}) and ${judged("leased_until")} is null returning event_id`;

/**
 * Deletes up to a thousand deliveries older than `before`, or fewer with many attempts, which are deleted too; then
 * webhooks removed before; resolves to the number.
 */
export async function pruneDeliveries(database: Database, before: Date): Promise<number> {
  const [oldest] = await database.rows<{ created_at: number }>("select created_at from deliveries order by id limit 1");
  if (oldest === undefined || oldest.created_at >= before.getTime()) return pruneHooks(database, before);
  return database.transaction(async (change) => {
    const pruned = await change.rows<{ event_id: number }>(pruneText, [before]);
    sendAppEventDeletion(
      change,
      pruned.map(({ event_id: id }) => id),
    );
    return pruned.length;
  });
}

const goneText = `select id from hooks where removed_at < ?
  and not exists (select 1 from deliveries where deliveries.hook_id = hooks.id) limit ${batch}`;

async function pruneHooks(database: Database, before: Date): Promise<number> {
  if ((await database.rows(goneText, [before])).length === 0) return 0;
  const pruned = await database.transaction(({ rows }) =>
    rows<{ id: number }>(`delete from hooks where id in (${goneText}) returning id`, [before]),
  );
  return pruned.length;
}
