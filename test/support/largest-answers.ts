/** The largest answers that the limits allow, made of their own shapes: every text at its limit, every list full. */
import { contactFieldNames } from "../../src/crm/contacts/contact.fields.ts";
import type { ActivityRow, RecordRow } from "../../src/crm/contacts/contact.row.ts";
import { toContact, toSummary } from "../../src/crm/contacts/contact.view.ts";
import type { EmbeddedConversationRow } from "../../src/crm/conversations/conversation.view.ts";
import { toConversation } from "../../src/crm/conversations/conversation.view.ts";
import type { MessageRow } from "../../src/crm/conversations/messages/message.view.ts";
import { toMessage } from "../../src/crm/conversations/messages/message.view.ts";
import type { EmbeddedNoteRow, NoteRow } from "../../src/crm/notes/note.view.ts";
import type { EmbeddedOpportunityRow } from "../../src/crm/opportunities/opportunity.view.ts";
import type { EmbeddedTaskRow } from "../../src/crm/tasks/task.view.ts";
import { toNote } from "../../src/crm/notes/note.view.ts";
import { eventNames } from "../../src/vocabulary/events.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { ManualClock } from "./manual-clock.ts";
import { toolsOf } from "./tools.ts";

/** Of all characters, control characters take most in JSON: six bytes. */
const control = "\u0001";
const worst = (length: number): string => control.repeat(length);
const many = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

const id = Number.MAX_SAFE_INTEGER;
const time = 4_102_444_800_000;
/** Phone numbers as they are displayed, and time zones: both longer than there is any. */
const other = 64;
const lengths: Readonly<Record<string, number>> = limits.contact;
const textOf = (field: string): string => worst(field === "phone" ? other : (lengths[field] ?? other));

const contact: RecordRow = {
  id,
  name: worst(limits.contact.first_name + 1 + limits.contact.last_name),
  first_name: textOf("first_name"),
  last_name: textOf("last_name"),
  email: textOf("email"),
  phone_display: textOf("phone"),
  interest: textOf("interest"),
  source: textOf("source"),
  owner_id: id,
  owner_name: worst(limits.name),
  stage_id: id,
  stage_name: worst(limits.name),
  stage_kind: "open",
  stage_color: "#aabbcc",
  value_cents: id,
  next_task_id: id,
  next_task_title: worst(limits.taskTitle),
  next_task_due_at: time,
  last_activity_at: time,
  dnd: false,
  tags: many(limits.contactTags, { id, name: worst(limits.tagName), color: "#aabbcc" }),
  company: textOf("company"),
  address1: textOf("address1"),
  city: textOf("city"),
  state: textOf("state"),
  zip: textOf("zip"),
  timezone: textOf("timezone"),
  external_ref: textOf("external_ref"),
  // Together at their limit.
  custom_fields: {
    members: [
      {
        id,
        key: "k".repeat(limits.customField.key),
        type: "long_text",
        value: worst(limits.customField.characters / 6),
      },
    ],
  },
  created_at: time,
  updated_at: time,
};

const note: NoteRow = {
  id,
  body: "",
  pinned: false,
  user_id: id,
  user_name: worst(limits.name),
  created_at: time,
  updated_at: time,
};
const embedded: EmbeddedNoteRow = { ...note, body: worst(limits.embeddedNoteBody), truncated: true };

const opportunity: EmbeddedOpportunityRow = {
  id,
  pipeline_id: id,
  pipeline_name: worst(limits.name),
  stage_id: id,
  stage_name: worst(limits.name),
  stage_color: "#aabbcc",
  status: "lost",
  name: worst(limits.name),
  value_cents: id,
  owner_id: id,
  owner_name: worst(limits.name),
  lost_reason: worst(limits.lostReason),
  stage_entered_at: time,
  closed_at: time,
  created_at: time,
  updated_at: time,
};

const task: EmbeddedTaskRow = {
  id,
  title: worst(limits.taskTitle),
  due_at: time,
  completed_at: time,
  assignee_id: id,
  assignee_name: worst(limits.name),
  created_by_id: id,
  created_by_name: worst(limits.name),
  created_at: time,
};

const activity: ActivityRow = {
  id,
  event: eventNames.toSorted((one, two) => two.length - one.length)[0]!,
  actor_type: "workflow",
  actor_id: id,
  actor_name: worst(limits.name),
  changes: contactFieldNames.map((field) => ({ field, old: textOf(field), new: textOf(field) })),
  created_at: time,
};

const conversation: EmbeddedConversationRow = {
  id,
  kind: "messenger",
  channel_id: id,
  channel_name: worst(limits.name),
  status: "snoozed",
  snoozed_until: time,
  assignee_id: id,
  assignee_name: worst(limits.name),
  preview: worst(limits.preview),
  last_message_at: time,
  last_inbound_at: time,
  unread_count: id,
  subject: worst(limits.subject),
  match_id: null,
  match_name: null,
};
const shownConversation = toConversation({
  ...conversation,
  contact_id: id,
  contact_name: contact.name,
  contact_phone_display: contact.phone_display,
  contact_email: contact.email,
});

const message: MessageRow = {
  id,
  conversation_id: id,
  direction: "outbound",
  kind: "system",
  body: worst(limits.shownMessageBody),
  html: null,
  subject: worst(limits.subject),
  from_address: worst(limits.channelAddress),
  to_address: worst(limits.channelAddress),
  status: "delivered",
  error: worst(limits.messageError),
  author_id: id,
  author_name: worst(limits.name),
  sent_at: time,
  delivered_at: time,
  created_at: time,
  ai_generated: false,
  // An attachment counts as as many bytes as it has, and text as fewer than it has.
  attachment_count: 0,
  attachments: [],
};

const tools = toolsOf(new ManualClock());
const bytes = (answer: unknown): number => Buffer.byteLength(JSON.stringify(answer));
const cursor = "x".repeat(200);

/** In bytes. */
export const largestAnswers = {
  contact: bytes(
    toContact(
      contact,
      {
        opportunities: many(limits.embeddedLimit, opportunity),
        tasks: many(limits.embeddedLimit, task),
        notes: many(limits.embeddedLimit, embedded),
        conversations: many(limits.embeddedLimit, conversation),
        activities: many(limits.embeddedLimit, activity),
      },
      time,
    ),
  ),
  // As many tags as there can be, which share all the text that their names may have.
  contacts: bytes({
    data: many(
      limits.pageSize,
      toSummary(
        contact,
        many(limits.contactTags, {
          id,
          name: worst(Math.ceil(limits.pageTagNames / limits.pageSize / limits.contactTags)),
          color: "#aabbcc",
        }),
        time,
      ),
    ),
    next_cursor: cursor,
    total: id,
  }),
  conversations: bytes({ data: many(limits.pageSize, shownConversation), next_cursor: cursor }),
  // As much text as is shown whole, in one message as well as in many, and the beginnings of all others.
  conversation: bytes({
    conversation: shownConversation,
    messages: many(limits.conversationMessages, { ...toMessage(message, tools), truncated: true }),
    whole: worst(limits.conversationBytes),
  }),
  messages: bytes({
    data: many(
      limits.pageSize,
      toMessage({ ...message, body: worst(Math.ceil(limits.conversationBytes / limits.pageSize)) }, tools),
    ),
    next_cursor: cursor,
  }),
  notes: bytes({
    data: many(limits.pageSize, toNote({ ...note, body: worst(Math.ceil(limits.notePageBytes / limits.pageSize)) })),
    next_cursor: cursor,
  }),
};
