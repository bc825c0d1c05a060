/** The input of conversations and messages. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import {
  filledText,
  filterId,
  nullableId,
  nullableText,
  nullableTimestamp,
  recordId,
  text,
} from "../../kit/input/fields.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { limits } from "../../vocabulary/limits.ts";
import { attachmentIds } from "./attachments/attachment.schema.ts";
import { channelKinds, conversationStatuses } from "../../vocabulary/states.ts";

/** GET /conversations. */
export const conversationListQuery = z.object({
  status: z.enum(conversationStatuses).optional(),
  kind: z.enum(channelKinds).optional().describe("The kind of the channel."),
  assignee_user_id: filterId(),
  search: filledText(limits.name).describe(
    "Searches the contact's first name, last name and e-mail address. Three or more characters match anywhere; fewer match the beginning of a word.",
  ),
  ...pageQuery.shape,
});

/** POST /conversations. */
export const startInput = creation({
  contact_id: recordId(),
  channel_id: recordId(),
  body: nullableText(limits.messageBody).describe("Sent immediately as a message."),
  subject: nullableText(limits.subject),
  attachment_ids: attachmentIds,
}).meta({
  examples: [{ contact_id: 1, channel_id: 1, body: "Good morning! Here is our price list.", subject: "Prices" }],
});

export type StartInput = z.output<typeof startInput>;

/** PATCH /conversations/{id}. */
export const conversationPatch = z
  .object({
    status: z.enum(conversationStatuses).optional(),
    snoozed_until: nullableTimestamp().describe("Only for the status snoozed. Without it, the snooze has no end."),
    assignee_user_id: nullableId(),
    unread: z.literal(false).optional().describe("Marks it as read."),
    contact_id: recordId().optional().describe("Sets the contact of the conversation."),
  })
  .meta({ examples: [{ status: "snoozed", snoozed_until: "2026-03-02T09:00:00Z", assignee_user_id: 1 }] });

export type ConversationPatch = z.output<typeof conversationPatch>;

/** POST /conversations/{id}/messages. */
export const messageInput = creation({
  body: text(limits.messageBody),
  kind: z.enum(["text", "note"]).optional().describe("Default: text. A note is internal and is not sent."),
  subject: nullableText(limits.subject),
  html: nullableText(limits.messageHtml).describe("The HTML version, which mail clients show instead of the body."),
  attachment_ids: attachmentIds,
}).meta({ examples: [{ body: "Good morning! Here is our price list.", kind: "text", subject: "Prices" }] });

export type MessageInput = z.output<typeof messageInput>;
