/** The queue of deliveries, by webhook. Code that queues deliveries updates it in the same transaction. */
import { defineQueue } from "../../queues/queue.ts";
import type { Rows } from "../../storage/rows.ts";

/** Maximum deliveries in flight to one webhook, per process. */
export const mostDeliveriesOfHook = 64;

/** The columns of `hooks` that a request is made of, beside the scopes of its app. */
export const hookFacts =
  "hooks.target_url, hooks.scopes, hooks.secret, hooks.old_secret, hooks.old_secret_until, hooks.failing_since";

export const hookQueue = defineQueue({
  waiting: "deliveries",
  queues: "hook_queues",
  holders: "hooks",
  holder: "hook_id",
  isServed: "hooks.status = 'active' and hooks.removed_at is null",
  facts: hookFacts,
  mostOfOne: mostDeliveriesOfHook,
});

/** Due time of the most overdue delivery; null if none is overdue. */
export async function findOldestDue(rows: Rows, now: Date): Promise<Date | null> {
  const next = await hookQueue.findNextDue(rows);
  return next !== null && next <= now ? next : null;
}
