/** Writes messages into locked conversations, and queues outbound ones for sending. */
import type { Change, Person, LocationContext } from "../../../events/caller.ts";
import type { EventRecord } from "../../../events/event-record.ts";
import { truncate } from "../../../kit/text.ts";
import { defineInsert, defineUpdate, insertRows, updateRow } from "../../../storage/inserting/insert.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { mintMessageId } from "../../../mail/message-id.ts";
import { channelTransports } from "../../channels/transports/all.ts";
import { lockConversation, recordOnTimeline } from "../conversation-activity.ts";
import type { LockedConversation } from "../conversation-activity.ts";
import type { MessageInput } from "../conversation.schema.ts";
import { attach, readAttachments } from "../attachments/attachment.service.ts";
import type { AttachmentRow } from "../attachments/attachment.view.ts";
import { enqueueMessage } from "../sending/send-queue.ts";
import { findRecipient } from "./recipient.ts";
import { messageSent, toMessageData } from "./message.events.ts";
import { toMessage } from "./message.view.ts";
import type { MessageRow, MessageView } from "./message.view.ts";

/**
 * Sends a text and raises message.sent, or adds a note, which raises no event. Refuses `conversation.not_found`, and on `kind` a text on a
 * paused channel.
 */
export async function sendMessage(
  change: Change<LocationContext>,
  id: number,
  input: MessageInput,
  transports = channelTransports,
): Promise<MessageView> {
  const conversation = await lockConversation(change, id);
  if (input.kind === "note")
    return toMessage(await insertOutbound(change, conversation, input, { status: "sent", to: null }), change.tools);
  if (conversation.channel_status === "paused") {
    throw new Invalid({ kind: ["The kind field must be note while the channel is paused."] });
  }
  const message = await writeText(change, conversation, input, transports);
  const records = sentEvents(conversation, message);
  if (records.length > 0) recordOnTimeline(change, conversation.contact, ...records);
  return message;
}

/**
 * Writes an outbound text into a locked conversation; the caller raises `sentEvents`. Refuses, on `contact_id`, a contact that the channel's
 * transport cannot reach.
 */
export async function writeText(
  change: Change<LocationContext>,
  conversation: LockedConversation,
  input: Omit<MessageInput, "kind">,
  transports = channelTransports,
  takeAttachments = readAttachments,
): Promise<MessageView> {
  const { accepts } = transports.of(conversation.transport);
  const to = accepts === "sent" ? null : await findRecipient(change, conversation.id);
  if (to !== null && "lacks" in to) throw new Invalid({ contact_id: [`The contact id field ${to.lacks}`] });
  const row = await insertOutbound(
    change,
    conversation,
    { ...input, kind: "text" },
    { status: accepts, to },
    takeAttachments,
  );
  if (accepts === "queued")
    enqueueMessage(change, {
      messageId: row.id,
      channelId: conversation.channel_id,
      conversationId: conversation.id,
    });
  updateRow(change, outboundUpdate, conversation.id, {
    ...fieldsAfterSending(change, row),
    last_message_at: change.now,
  });
  return toMessage(row, change.tools);
}

/** The fields of a conversation after an outbound text. */
export function fieldsAfterSending({ now }: Change, message: Pick<MessageRow, "body" | "subject">) {
  return { preview: previewOf(message), last_message_at: now.getTime(), unread_count: 0 };
}

/** message.sent for a message with the status sent; for a queued one it is raised after sending. */
export function sentEvents(conversation: LockedConversation, message: MessageView): EventRecord[] {
  return message.status === "sent" ? [messageSent.of(toMessageData(conversation, message))] : [];
}

const outboundUpdate = defineUpdate("conversations", ["preview", "last_message_at", "unread_count"]);

const messageInsert = defineInsert(
  "messages",
  [
    "conversation_id",
    "channel_id",
    "direction",
    "kind",
    "body",
    "html",
    "subject",
    "from_address",
    "to_address",
    "status",
    "author_id",
    "external_id",
    "message_id",
    "is_shortened",
    "cause_run_id",
    "cause_depth",
    "attachment_count",
    "sent_at",
    "created_at",
  ],
  { leaves: ["error", "delivered_at", "ai_generated", "retries"] },
);

type NewMessage = Omit<
  MessageRow,
  | "id"
  | "conversation_id"
  | "author_id"
  | "author_name"
  | "error"
  | "delivered_at"
  | "created_at"
  | "ai_generated"
  | "attachment_count"
  | "attachments"
> & {
  /** Stored, and without a message. */
  readonly attachments?: readonly AttachmentRow[];
  readonly author: Person | null;
  readonly external_id: string | null;
  readonly message_id: string | null;
  readonly is_shortened?: boolean;
};

/** Inserts a message and returns its row. */
export async function insertMessage(
  change: Change<LocationContext>,
  { id, channel_id }: Pick<LockedConversation, "id" | "channel_id">,
  { author, is_shortened = false, attachments = [], ...message }: NewMessage,
): Promise<MessageRow> {
  const author_id = author?.id ?? null;
  const [messageId] = await insertRows(change, messageInsert, [
    {
      ...message,
      is_shortened,
      conversation_id: id,
      channel_id,
      author_id,
      cause_run_id: change.cause?.runId ?? null,
      cause_depth: change.cause?.depth ?? 0,
      attachment_count: attachments.length,
      sent_at: message.sent_at === null ? null : new Date(message.sent_at),
      created_at: change.now,
    },
  ]);
  await attach(change, messageId!, attachments);
  return {
    ...message,
    attachment_count: attachments.length,
    attachments,
    id: messageId!,
    conversation_id: id,
    author_id,
    author_name: author?.name ?? null,
    error: null,
    delivered_at: null,
    created_at: change.now.getTime(),
    ai_generated: false,
  };
}

/** Inserts an outbound text or a note. */
async function insertOutbound(
  change: Change<LocationContext>,
  conversation: LockedConversation,
  { body, html = null, kind = "text", subject = null, attachment_ids }: MessageInput,
  { status, to }: { readonly status: "sent" | "queued"; readonly to: { readonly address: string } | null },
  takeAttachments = readAttachments,
): Promise<MessageRow> {
  const from = kind === "note" || conversation.channel_address === "" ? null : conversation.channel_address;
  const attachments = await takeAttachments(change, attachment_ids ?? []);
  return insertMessage(change, conversation, {
    attachments,
    direction: "outbound",
    kind,
    body,
    html,
    subject,
    from_address: from,
    to_address: to?.address ?? null,
    status,
    author: change.user,
    external_id: null,
    message_id: conversation.kind === "email" && from !== null ? mintMessageId(from) : null,
    sent_at: status === "sent" ? change.now.getTime() : null,
  });
}

/** The preview in lists: the beginning of the message, on one line. */
export function previewOf({ body, subject }: Pick<MessageRow, "body" | "subject">): string | null {
  const text = (body ?? subject)?.replaceAll(/\s+/g, " ").trim();
  return text === undefined ? null : truncate(text, limits.preview);
}
