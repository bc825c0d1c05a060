/** Says of webhooks when something is due for them. Whoever makes deliveries wait says so here, in the same transaction. */
import { jsonRows } from "../../storage/json-rows.ts";
import type { Writer } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";

interface DueAt {
  readonly hookId: number;
  readonly dueAt: Date;
}

const named = jsonRows({ hook_id: "integer" });

/**
 * Held from here to the end of the transaction, so that nobody says that nothing waits while somebody else makes something wait. In one
 * order, because two that hold the same rows in different ones would end in a deadlock. SQLite has one writer.
 */
const holdText = {
  sqlite: "",
  postgres: `select hook_id from hook_queues where hook_id in (select hook_id from ${named.postgres} as named)
    order by hook_id for update`,
};

const due = jsonRows({ hook_id: "integer", due_at: "time" });
const bringForwardText = sql`update hook_queues set due_at = due.due_at from ${due} as due
  where hook_queues.hook_id = due.hook_id and (hook_queues.due_at is null or hook_queues.due_at > due.due_at)`;

/**
 * Each of these webhooks has something due at that time, if not before. Call this or `settleQueues`, once in a transaction and after the
 * deliveries are written: with the COMMIT right behind it the rows are held for a moment only.
 */
export function bringForward(writer: Writer, dues: readonly DueAt[]): void {
  if (dues.length === 0) return;
  const earliest = new Map<number, number>();
  for (const { hookId, dueAt } of dues)
    earliest.set(hookId, Math.min(dueAt.getTime(), earliest.get(hookId) ?? Number.POSITIVE_INFINITY));
  const listed = JSON.stringify([...earliest].map(([hook_id, due_at]) => ({ hook_id, due_at })));
  writer.send(holdText, [listed]);
  writer.send(bringForwardText, [listed]);
}

const settled = jsonRows({ hook_id: "integer", served: "boolean" });
const settleText = sql`update hook_queues
  set served_at = case when settled.served then ? else served_at end,
    due_at = (select min(deliveries.due_at) from deliveries
      where deliveries.hook_id = hook_queues.hook_id and deliveries.due_at is not null)
  from ${settled} as settled where hook_queues.hook_id = settled.hook_id`;

/** For whoever took deliveries of `served`, or put some of `others` off: looks up when each of them has something due next. */
export function settleQueues(
  writer: Writer,
  { served, others, now }: { readonly served: Iterable<number>; readonly others: Iterable<number>; readonly now: Date },
): void {
  const isServed = new Map<number, boolean>();
  for (const id of others) isServed.set(id, false);
  for (const id of served) isServed.set(id, true);
  if (isServed.size === 0) return;
  const listed = JSON.stringify([...isServed].map(([hook_id, serves]) => ({ hook_id, served: serves })));
  writer.send(holdText, [listed]);
  writer.send(settleText, [now, listed]);
}
