/** Tells an app's own webhook of an event, in the transaction of the change that caused it. */
import { insertAppEvent } from "../../events/record.ts";
import { insertRows } from "../../storage/inserting/insert.ts";
import type { Writer } from "../../storage/rows.ts";
import type { AppEventName } from "../../vocabulary/events.ts";
import { deliveryInsert } from "./delivery.service.ts";
import { hookQueue } from "./hook-queue.ts";

const hookText = `select id, workspace_id from hooks where owner_app_id = ? and removed_at is null and status <> 'disabled'`;

export interface AppHook {
  readonly id: number;
  readonly workspace_id: number;
}

/** The own webhook of an app; undefined if it has none, or its receiver has disabled it. */
export async function findAppHook(writer: Writer, appId: number): Promise<AppHook | undefined> {
  const [hook] = await writer.rows<AppHook>(hookText, [appId]);
  return hook;
}

/**
 * Queues a delivery to the webhook; one that is paused queues it too. Call it last in the transaction, since it locks the
 * queue of the webhook.
 */
export async function tellApp(
  writer: Writer,
  { id: hookId, workspace_id: workspaceId }: AppHook,
  { event, data, now }: { readonly event: AppEventName; readonly data: object; readonly now: Date },
): Promise<void> {
  const eventId = await insertAppEvent(writer, { workspaceId, event, data, now });
  await insertRows(writer, deliveryInsert, [
    { hook_id: hookId, event_id: eventId, state: "pending", due_at: now, created_at: now },
  ]);
  hookQueue.bringForward(writer, [{ holder: hookId, dueAt: now }]);
}
