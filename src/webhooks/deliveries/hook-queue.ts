/** The queue of deliveries, by webhook. Whoever makes deliveries wait says so here, in the same transaction. */
import { defineQueue } from "../../queues/queue.ts";

/** The most deliveries under way to one webhook, in one process. */
export const mostDeliveriesOfHook = 16;

export const hookQueue = defineQueue({
  waiting: "deliveries",
  queues: "hook_queues",
  holders: "hooks",
  holder: "hook_id",
  isServed: "hooks.status = 'active' and hooks.removed_at is null",
  facts: "hooks.target_url, hooks.scopes, hooks.secret, hooks.old_secret, hooks.old_secret_until, hooks.failing_since",
  mostOfOne: mostDeliveriesOfHook,
});
