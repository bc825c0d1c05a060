/** Says of webhooks that something is due for them. Whoever makes deliveries wait says so here, in the same transaction. */
import { jsonRows } from "../../storage/json-rows.ts";
import type { Rows } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";

export interface DueHook {
  readonly hookId: number;
  readonly dueAt: Date;
}

const due = jsonRows({ hook_id: "integer", due_at: "time" });

/** In one order, because two that hold the same rows in different ones would end in a deadlock. SQLite has one writer. */
const holdText = {
  sqlite: "",
  postgres: `select hook_id from hook_queues where hook_id in (select hook_id from ${due.postgres} as due)
    order by hook_id for update`,
};

const bringForwardText = sql`update hook_queues set due_at = due.due_at from ${due} as due
  where hook_queues.hook_id = due.hook_id and (hook_queues.due_at is null or hook_queues.due_at > due.due_at)`;

/** Each of these webhooks has something due at that time, if not before. Call it once in a transaction, after the deliveries are written. */
export async function bringForward(rows: Rows, dues: readonly DueHook[]): Promise<void> {
  if (dues.length === 0) return;
  const earliest = new Map<number, number>();
  for (const { hookId, dueAt } of dues)
    earliest.set(hookId, Math.min(dueAt.getTime(), earliest.get(hookId) ?? Number.POSITIVE_INFINITY));
  const listed = JSON.stringify([...earliest].map(([hook_id, due_at]) => ({ hook_id, due_at })));
  await rows.rows(holdText, [listed]);
  await rows.rows(bringForwardText, [listed]);
}
