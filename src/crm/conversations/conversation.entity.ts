/** The tables of conversations and of the messages in them. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Location } from "../../tenancy/locations/location.entity.ts";
import { User } from "../../tenancy/users/user.entity.ts";
import {
  channelKinds,
  conversationStatuses,
  messageDirections,
  messageKinds,
  messageStatuses,
} from "../../vocabulary/states.ts";
import { Channel } from "../channels/channel.entity.ts";
import { Contact } from "../contact.entity.ts";

/**
 * The order of lists. The indexes also cover the filter and search columns, so that filtered-out rows are never read. Every message updates
 * all of these indexes; therefore there are no more, not even for the foreign keys to channels and people.
 */
const feed = '"last_message_at" desc, "id" desc';

export const Conversation = defineEntity({
  name: "Conversation",
  tableName: "conversations",
  indexes: [
    {
      name: "conversations_by_message",
      expression: `create index "conversations_by_message" on "conversations" ("location_id", ${feed}, "status", "kind", "assignee_id", "contact_key")`,
    },
    {
      name: "conversations_by_status",
      expression: `create index "conversations_by_status" on "conversations" ("location_id", "status", ${feed}, "kind", "assignee_id", "contact_key")`,
    },
    {
      name: "conversations_by_assignee",
      expression: `create index "conversations_by_assignee" on "conversations" ("location_id", "assignee_id", ${feed}, "status", "kind") where "assignee_id" is not null`,
    },
    // The newest conversation of a contact, on one channel or on all.
    {
      name: "conversations_of_contact",
      expression: `create index "conversations_of_contact" on "conversations" ("contact_id", ${feed}, "channel_id", "status")`,
    },
    // The newest conversation of a sender without a contact.
    {
      name: "conversations_of_sender",
      expression: `create index "conversations_of_sender" on "conversations" ("channel_id", "sender_key", ${feed}) where "sender_key" is not null`,
    },
    // The possible matches of a contact.
    {
      name: "conversations_of_possible_match",
      expression: `create index "conversations_of_possible_match" on "conversations" ("possible_match_id") where "possible_match_id" is not null`,
    },
    // Snoozes by end time.
    {
      name: "conversations_by_snooze",
      expression: `create index "conversations_by_snooze" on "conversations" ("snoozed_until", "id") where "snoozed_until" is not null`,
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("restrict").index(false),
    /** null while the sender is unknown. A deleted contact stays here and is shown as null. */
    contact: () => p.manyToOne(Contact).nullable().deleteRule("restrict").index(false),
    /** A copy of the contact's search key (conversation.search.ts); empty without a contact. */
    contactKey: p.text().default(""),
    channel: () => p.manyToOne(Channel).deleteRule("restrict").index(false),
    kind: p.enum(channelKinds),
    status: p.enum(conversationStatuses),
    snoozedUntil: p.datetime(3).nullable(),
    assignee: () => p.manyToOne(User).nullable().deleteRule("set null").index(false),
    subject: p.text().nullable(),
    preview: p.text().nullable(),
    /** 1970 while there is no message: never null, because it is the sort column (ADR 6). */
    lastMessageAt: p.datetime(3),
    /** The time of the last inbound message, not counting automatic ones. */
    lastInboundAt: p.datetime(3).nullable(),
    /** Inbound messages since the last outbound text or the last mark-as-read. */
    unreadCount: p.type(Integer).default(0),
    /** The normalized address of a sender without a contact, by which their next message finds this conversation. */
    senderKey: p.text().nullable(),
    /** The only contact that matches that sender. */
    possibleMatch: () => p.manyToOne(Contact).nullable().deleteRule("set null").index(false),
    createdAt: p.datetime(3),
  },
});

export const Message = defineEntity({
  name: "Message",
  tableName: "messages",
  indexes: [
    { name: "messages_of_conversation", properties: ["conversation", "id"] },
    // Messages of workflows, by time, for their hourly limit.
    {
      name: "messages_of_runs",
      expression:
        'create index "messages_of_runs" on "messages" ("conversation_id", "created_at") where "cause_run_id" is not null',
    },
    // Deduplicates by the provider's message id.
    {
      name: "messages_external_id",
      expression:
        'create unique index "messages_external_id" on "messages" ("channel_id", "external_id") where "external_id" is not null',
    },
    // The messages that an e-mail replies to or reports about.
    {
      name: "messages_message_id",
      expression:
        'create index "messages_message_id" on "messages" ("channel_id", "message_id") where "message_id" is not null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    conversation: () => p.manyToOne(Conversation).deleteRule("cascade").index(false),
    channel: () => p.manyToOne(Channel).deleteRule("restrict").index(false),
    direction: p.enum(messageDirections),
    kind: p.enum(messageKinds),
    subject: p.text().nullable(),
    fromAddress: p.text().nullable(),
    toAddress: p.text().nullable(),
    status: p.enum(messageStatuses),
    error: p.text().nullable(),
    author: () => p.manyToOne(User).nullable().deleteRule("set null").index(false),
    externalId: p.text().nullable(),
    /** The Message-ID of an e-mail in angle brackets: ours, or the sender's. */
    messageId: p.text().nullable(),
    /** Whether the body lacks a quoted history or a signature that was received. */
    isShortened: p.boolean().default(false),
    /** The workflow run that wrote it, and the depth of its chain; null if no run did. */
    causeRunId: p.type(Integer).nullable(),
    causeDepth: p.type(Integer).default(0),
    aiGenerated: p.boolean().default(false),
    /** How often it was retried after it had failed. */
    retries: p.type(Integer).default(0),
    /** So that messages without attachments are read without theirs. */
    attachmentCount: p.type(Integer).default(0),
    sentAt: p.datetime(3).nullable(),
    deliveredAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    body: p.text().nullable(),
    html: p.text().nullable(),
  },
});
