/** The state machine of outbound messages, for results of transports and delivery receipts. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { defineUpdate, updateRow } from "../../../storage/inserting/insert.ts";
import { forUpdate } from "../../../storage/locks.ts";
import { sql } from "../../../storage/sql-text.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import type { MessageStatus, ReceiptStatus } from "../../../vocabulary/states.ts";
import { lockConversation, recordOnTimeline } from "../conversation-activity.ts";
import type { LockedConversation } from "../conversation-activity.ts";
import { dequeueMessage } from "../sending/send-queue.ts";
import { messageFailed, messageSent, toMessageData } from "./message.events.ts";
import { getMessageRow } from "./message.queries.ts";
import { toMessage } from "./message.view.ts";

/** The allowed transitions: a delivered message cannot fail, and a failed one stays failed until it is retried (`retryMessage`). */
const transitions: Readonly<Record<MessageStatus, readonly MessageStatus[]>> = {
  received: [],
  queued: ["sent", "delivered", "read", "failed"],
  sent: ["delivered", "read", "failed"],
  delivered: ["read"],
  read: [],
  failed: [],
};

const lockText = sql`select status, sent_at, delivered_at, retries, cause_run_id, cause_depth from messages where id = ?${forUpdate("messages")}`;

export interface LockedMessage {
  readonly status: MessageStatus;
  readonly sent_at: number | null;
  readonly delivered_at: number | null;
  readonly retries: number;
  readonly cause_run_id: number | null;
  readonly cause_depth: number;
}

/** Undefined if there is no such message. */
export async function lockMessage(change: Change<LocationContext>, id: number): Promise<LockedMessage | undefined> {
  const [locked] = await change.rows<LockedMessage>(lockText, [id]);
  return locked;
}

const statusUpdate = defineUpdate("messages", ["status", "error", "sent_at", "delivered_at"]);

interface StatusChange {
  readonly conversationId: number;
  readonly status: ReceiptStatus;
  /** The reason of a failure. */
  readonly error: string | null;
  /** The retry that it is about; one about an earlier retry is ignored. Default: the current one. */
  readonly retry?: number | undefined;
}

/**
 * Moves an outbound text of the location to `status` if the transition is allowed. Raises message.sent for a queued message, or
 * message.failed, with the cause of the message; resolves to the resulting status. Refuses one that was deleted.
 */
export async function moveMessage(
  change: Change<LocationContext>,
  id: number,
  { conversationId, status, error, retry }: StatusChange,
): Promise<MessageStatus> {
  const conversation = await lockConversation(change, conversationId);
  const locked = await lockMessage(change, id);
  if (locked === undefined) throw new Refusal("message.not_found");
  if (retry !== undefined && retry < locked.retries) return locked.status;
  if (!transitions[locked.status].includes(status)) return locked.status;
  await applyStatus(change, conversation, { id, locked, status, error });
  return status;
}

interface AppliedStatus extends Pick<StatusChange, "status" | "error"> {
  readonly id: number;
  readonly locked: LockedMessage;
}

/** Writes the status of a locked message, which leaves the queue, and raises its event. */
export async function applyStatus(
  change: Change<LocationContext>,
  conversation: LockedConversation,
  { id, locked, status, error }: AppliedStatus,
): Promise<void> {
  const hasArrived = status === "delivered" || status === "read";
  updateRow(change, statusUpdate, id, {
    status,
    error: status === "failed" ? error : null,
    sent_at: status === "failed" ? toDate(locked.sent_at) : (toDate(locked.sent_at) ?? change.now),
    delivered_at: toDate(locked.delivered_at) ?? (hasArrived ? change.now : null),
  });
  if (locked.status === "queued") dequeueMessage(change, { messageId: id, conversationId: conversation.id });
  const { contact } = conversation;
  const message = toMessageData(conversation, toMessage(await getMessageRow(change, id), change.tools));
  const { cause_run_id: runId, cause_depth: depth } = locked;
  const by = { cause: runId === null ? null : { runId, depth } };
  if (status === "failed") recordOnTimeline(change, contact, messageFailed.of(message, by));
  else if (locked.status === "queued") recordOnTimeline(change, contact, messageSent.of(message, by));
}

function toDate(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
