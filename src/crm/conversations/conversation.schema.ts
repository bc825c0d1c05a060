/** What comes in for a conversation and for a message. */
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
import { channelKinds, conversationStatuses } from "../../vocabulary/states.ts";

/** GET /conversations. */
export const conversationListQuery = z.object({
  status: z.enum(conversationStatuses).optional(),
  kind: z.enum(channelKinds).optional().describe("The kind of the channel."),
  assignee_user_id: filterId(),
  search: filledText(limits.name).describe(
    "In the contact's first name, last name or e-mail address: anywhere from three characters on, the beginning of a word below that.",
  ),
  ...pageQuery.shape,
});

/** POST /conversations. */
export const startInput = creation({
  contact_id: recordId(),
  channel_id: recordId(),
  body: nullableText(limits.messageBody).describe("Sent at once as the first message."),
  subject: nullableText(limits.subject),
}).meta({
  examples: [{ contact_id: 1, channel_id: 1, body: "Good morning! Here is our price list.", subject: "Prices" }],
});

export type StartInput = z.output<typeof startInput>;

/** PATCH /conversations/{id}. */
export const conversationPatch = z
  .object({
    status: z.enum(conversationStatuses).optional(),
    snoozed_until: nullableTimestamp().describe("Kept with the status snoozed alone; without it a snooze has no end."),
    assignee_user_id: nullableId(),
    unread: z.literal(false).optional().describe("Marks it as read."),
    contact_id: recordId().optional().describe("Says whose conversation it is."),
  })
  .meta({ examples: [{ status: "snoozed", snoozed_until: "2026-03-02T09:00:00Z", assignee_user_id: 1 }] });

export type ConversationPatch = z.output<typeof conversationPatch>;

/** POST /conversations/{id}/messages. */
export const messageInput = creation({
  body: text(limits.messageBody),
  kind: z.enum(["text", "note"]).optional().describe("text, unless given: a note is for colleagues and goes nowhere."),
  subject: nullableText(limits.subject),
  html: nullableText(limits.messageHtml).describe("What mail clients show instead of the body."),
}).meta({ examples: [{ body: "Good morning! Here is our price list.", kind: "text", subject: "Prices" }] });

export type MessageInput = z.output<typeof messageInput>;
