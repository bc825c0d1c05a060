/** The state machine of outbound messages, for results of transports and delivery receipts. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { defineUpdate, updateRow } from "../../../storage/inserting/insert.ts";
import { untilCommit } from "../../../storage/locks.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { MessageStatus, ReceiptStatus } from "../../../vocabulary/states.ts";
import { lockConversation, recordOnTimeline } from "../conversation-activity.ts";
import { dequeueMessage } from "../sending/send-queue.ts";
import { messageFailed, messageSent } from "./message.events.ts";
import { getMessageRow } from "./message.queries.ts";
import { toMessage } from "./message.view.ts";

/** The allowed transitions: a delivered message cannot fail, and a failed one stays failed. */
const transitions: Readonly<Record<MessageStatus, readonly MessageStatus[]>> = {
  received: [],
  queued: ["sent", "delivered", "read", "failed"],
  sent: ["delivered", "read", "failed"],
  delivered: ["read"],
  read: [],
  failed: [],
};

const lockText = sql`select status, sent_at, delivered_at, cause_run_id, cause_depth from messages where id = ?${untilCommit("messages")}`;

interface LockedMessage {
  readonly status: MessageStatus;
  readonly sent_at: number | null;
  readonly delivered_at: number | null;
  readonly cause_run_id: number | null;
  readonly cause_depth: number;
}

const statusUpdate = defineUpdate("messages", ["status", "error", "sent_at", "delivered_at"]);

interface StatusChange {
  readonly conversationId: number;
  readonly status: ReceiptStatus;
  /** The reason of a failure. */
  readonly error: string | null;
}

/**
 * Moves an outbound text of the location to `status` if the transition is allowed. Raises message.sent for a queued message, or
 * message.failed, with the cause of the message; resolves to the resulting status.
 */
export async function moveMessage(
  change: Change<LocationContext>,
  id: number,
  { conversationId, status, error }: StatusChange,
): Promise<MessageStatus> {
  const { contact } = await lockConversation(change, conversationId);
  const [locked] = await change.rows<LockedMessage>(lockText, [id]);
  if (!transitions[locked!.status].includes(status)) return locked!.status;
  const hasArrived = status === "delivered" || status === "read";
  updateRow(change, statusUpdate, id, {
    status,
    error: status === "failed" ? error : null,
    sent_at: status === "failed" ? toDate(locked!.sent_at) : (toDate(locked!.sent_at) ?? change.now),
    delivered_at: toDate(locked!.delivered_at) ?? (hasArrived ? change.now : null),
  });
  if (locked!.status === "queued") dequeueMessage(change, { messageId: id, conversationId });
  const message = { ...toMessage(await getMessageRow(change, id)), contact };
  const { cause_run_id: runId, cause_depth: depth } = locked!;
  const by = { cause: runId === null ? null : { runId, depth } };
  if (status === "failed") recordOnTimeline(change, contact, messageFailed.of(message, by));
  else if (locked!.status === "queued") recordOnTimeline(change, contact, messageSent.of(message, by));
  return status;
}

function toDate(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
