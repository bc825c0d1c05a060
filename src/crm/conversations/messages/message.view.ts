/** The response shape of a message (specification, "Message"). */
import { z } from "zod";
import { pageOf } from "../../../kit/page-shapes.ts";
import { toNullableTimestamp } from "../../../kit/time/timestamp.ts";
import { personView, toPerson } from "../../../tenancy/users/user.view.ts";
import { attachmentView, toAttachment } from "../attachments/attachment.view.ts";
import type { AttachmentRow } from "../attachments/attachment.view.ts";
import { showPictures } from "../attachments/shown-pictures.ts";
import type { Tools } from "../../../events/caller.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { messageDirections, messageKinds, messageStatuses } from "../../../vocabulary/states.ts";
import type { MessageDirection, MessageKind, MessageStatus } from "../../../vocabulary/states.ts";

/** An example message. */
export const messageSpecimen = {
  id: 1,
  conversation_id: 1,
  direction: "inbound" as const,
  kind: "text" as const,
  body: "Could you send me a price list?",
  html: null,
  subject: "Prices",
  from_address: "ada@example.com",
  to_address: "desk@example.com",
  status: "received" as const,
  error: null,
  author: null,
  sent_at: null,
  delivered_at: null,
  created_at: "2026-03-01T12:00:00.000Z",
  ai_generated: false,
  attachments: [],
};

export const messageView = z
  .object({
    id: z.int(),
    conversation_id: z.int(),
    direction: z.enum(messageDirections),
    kind: z.enum(messageKinds).describe("A note is internal; system reports a change of the conversation."),
    body: z.string().nullable(),
    html: z.string().nullable(),
    subject: z.string().nullable(),
    from_address: z.string().nullable(),
    to_address: z.string().nullable(),
    status: z.enum(messageStatuses),
    error: z
      .string()
      .nullable()
      .describe("The reason of a failure; for a queued message, the reason of the last failed attempt."),
    author: personView
      .nullable()
      .describe("The author; for an app, the person who installed it; null for an API key, a workflow or the contact."),
    sent_at: z.iso.datetime().nullable(),
    delivered_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime().nullable(),
    ai_generated: z.boolean(),
    attachments: z.array(attachmentView),
  })
  .meta({ id: "Message", description: "A message of a conversation.", examples: [messageSpecimen] });

export type MessageView = z.output<typeof messageView>;

/** A message as its conversation shows it. */
export const shownMessageView = messageView
  .extend({
    truncated: z
      .literal(true)
      .optional()
      .describe(
        `The body is truncated to ${limits.shownMessageBody.toLocaleString("en")} characters, and html and attachments are omitted, because later messages are long; GET /conversations/{id}/messages lists messages in full.`,
      ),
  })
  .meta({ id: "ShownMessage", examples: [messageSpecimen] });

export type ShownMessageView = z.output<typeof shownMessageView>;

export const messageListView = pageOf(messageView).meta({
  id: "MessageList",
  description: "A page of messages in full, newest first.",
});

/** The selected row: times in milliseconds, booleans as each database returns them. */
export interface MessageRow {
  readonly id: number;
  readonly conversation_id: number;
  readonly direction: MessageDirection;
  readonly kind: MessageKind;
  readonly body: string | null;
  readonly html: string | null;
  readonly subject: string | null;
  readonly from_address: string | null;
  readonly to_address: string | null;
  readonly status: MessageStatus;
  readonly error: string | null;
  readonly author_id: number | null;
  readonly author_name: string | null;
  readonly sent_at: number | null;
  readonly delivered_at: number | null;
  readonly created_at: number;
  readonly ai_generated: boolean | number;
  readonly attachment_count: number;
  /** Read beside the row (findAttachments). */
  readonly attachments: readonly AttachmentRow[];
}

export function toMessage(row: MessageRow, tools: Tools): MessageView {
  const attachments = row.attachments.map((attachment) => toAttachment(attachment, tools));
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    direction: row.direction,
    kind: row.kind,
    body: row.body,
    html: row.html === null ? null : showPictures(row.html, row.attachments, attachments),
    subject: row.subject,
    from_address: row.from_address,
    to_address: row.to_address,
    status: row.status,
    error: row.error,
    author: toPerson(row.author_id, row.author_name),
    sent_at: toNullableTimestamp(row.sent_at),
    delivered_at: toNullableTimestamp(row.delivered_at),
    created_at: toNullableTimestamp(row.created_at),
    ai_generated: Boolean(row.ai_generated),
    attachments,
  };
}
