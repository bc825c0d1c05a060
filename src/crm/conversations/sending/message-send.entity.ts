/** The tables of the send queue: a row per queued message, until it is sent or has failed, and a row per channel with its next due time. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../../storage/columns.ts";
import { Channel } from "../../channels/channel.entity.ts";
import { Conversation, Message } from "../conversation.entity.ts";

export const MessageSend = defineEntity({
  name: "MessageSend",
  tableName: "message_sends",
  indexes: [
    // The FIFO queue of each conversation.
    { name: "message_sends_of_conversation", properties: ["conversation", "id"] },
    // At most one head per conversation. Expressions: the schema diff reports a partial index written as properties as changed every time.
    {
      name: "message_sends_head",
      expression:
        'create unique index "message_sends_head" on "message_sends" ("conversation_id") where "at_head" = true',
    },
    // Heads that are not in a channel's queue yet.
    {
      name: "message_sends_unqueued",
      expression:
        'create index "message_sends_unqueued" on "message_sends" ("id") where "at_head" = true and "due_at" is null and "leased_until" is null',
    },
    {
      name: "message_sends_due",
      expression:
        'create index "message_sends_due" on "message_sends" ("channel_id", "due_at", "id") where "due_at" is not null',
    },
    {
      name: "message_sends_leased",
      expression:
        'create index "message_sends_leased" on "message_sends" ("leased_until") where "leased_until" is not null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    message: () => p.manyToOne(Message).unique("message_sends_message").deleteRule("cascade").index(false),
    channel: () => p.manyToOne(Channel).deleteRule("cascade").index(false),
    conversation: () => p.manyToOne(Conversation).deleteRule("cascade").index(false),
    /** Whether it is the head of its conversation's queue. Only heads enter the channel's queue. */
    atHead: p.boolean(),
    /** The number of the last attempt. */
    attempt: p.type(Integer).default(0),
    /** A fencing token, incremented with each claim: results of an earlier claim are rejected. */
    fence: p.type(Integer).default(0),
    /** Set while it waits in the queue of its channel. */
    dueAt: p.datetime(3).nullable(),
    /** Set while a worker sends it: the expiry of the lease. */
    leasedUntil: p.datetime(3).nullable(),
    /** The worker that claimed it last. */
    leasedBy: p.type(Integer).nullable(),
  },
});

/** One row per channel, in a table of its own because it is updated with every send. */
export const ChannelQueue = defineEntity({
  name: "ChannelQueue",
  tableName: "channel_queues",
  indexes: [
    {
      name: "channel_queues_due",
      expression: 'create index "channel_queues_due" on "channel_queues" ("due_at") where "due_at" is not null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    channel: () => p.manyToOne(Channel).unique("channel_queues_channel").deleteRule("cascade").index(false),
    /** A lower bound of the earliest due time; null: the queue is empty. */
    dueAt: p.datetime(3).nullable(),
    servedAt: p.datetime(3),
  },
});
