/** Takes in what became of messages that went out: their status moves forward and never back. */
import type { Change, Place } from "../../../events/caller.ts";
import { defineUpdate, updateRow } from "../../../storage/insert.ts";
import { untilCommit } from "../../../storage/locks.ts";
import { sql } from "../../../storage/sql-text.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import type { MessageStatus } from "../../../vocabulary/states.ts";
import { holdConversation, recordOn } from "../conversation-activity.ts";
import { messageFailed, messageSent } from "../messages/message.events.ts";
import { getMessageRow } from "../messages/message.queries.ts";
import { toMessage } from "../messages/message.view.ts";
import type { ReceiptInput } from "./inbound.schema.ts";

/** From each status, those to which a message may still come: one that arrived has not failed, and one that failed stays so. */
const further: Readonly<Record<MessageStatus, readonly MessageStatus[]>> = {
  received: [],
  queued: ["sent", "delivered", "read", "failed"],
  sent: ["delivered", "read", "failed"],
  delivered: ["read"],
  read: [],
  failed: [],
};

const ofChannelText =
  "select conversation_id from messages where id = ? and channel_id = ? and direction = 'outbound' and kind = 'text'";

const holdText = sql`select status, sent_at, delivered_at from messages where id = ?${untilCommit("messages")}`;

interface HeldMessage {
  readonly status: MessageStatus;
  readonly sent_at: number | null;
  readonly delivered_at: number | null;
}

const receiptUpdate = defineUpdate("messages", ["status", "error", "sent_at", "delivered_at"]);

/**
 * Moves a message of the channel to `status` where that lies ahead, and raises message.sent for one that was queued, or
 * message.failed; resolves to the status that it has then. Refuses, on `message_id`, what is no outbound text of the channel.
 */
export async function takeReceipt(
  change: Change<Place>,
  channelId: number,
  { message_id, status, error = null }: ReceiptInput,
): Promise<MessageStatus> {
  const [known] = await change.rows<{ conversation_id: number }>(ofChannelText, [message_id, channelId]);
  if (known === undefined) {
    throw new Invalid({ message_id: ["The message id field must name a text that was sent by this channel."] });
  }
  const { contact } = await holdConversation(change, known.conversation_id);
  const [held] = await change.rows<HeldMessage>(holdText, [message_id]);
  if (!further[held!.status].includes(status)) return held!.status;
  const hasArrived = status === "delivered" || status === "read";
  updateRow(change, receiptUpdate, message_id, {
    status,
    error: status === "failed" ? error : null,
    sent_at: status === "failed" ? toDate(held!.sent_at) : (toDate(held!.sent_at) ?? change.now),
    delivered_at: toDate(held!.delivered_at) ?? (hasArrived ? change.now : null),
  });
  const message = { ...toMessage(await getMessageRow(change, message_id)), contact };
  if (status === "failed") recordOn(change, contact, messageFailed.of(message));
  else if (held!.status === "queued") recordOn(change, contact, messageSent.of(message));
  return status;
}

function toDate(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
