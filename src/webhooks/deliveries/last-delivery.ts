/**
 * SQL for a column of the last delivery of a webhook, null without one. `hook`: the id of the webhook. PostgreSQL finds it by the index of
 * webhooks; by a comparison of `hook_id` alone, it may scan the deliveries of all webhooks.
 */
export function ofLastDelivery(column: string, hook: string): string {
  return `(select case when hook_id = ${hook} then ${column} end from deliveries
    where (hook_id, id) <= (${hook}, ${Number.MAX_SAFE_INTEGER}) order by hook_id desc, id desc limit 1)`;
}
