/** The tables of what is to be sent: a row for each queued message, until it is taken or given up, and when a channel has something due next. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../../storage/columns.ts";
import { Channel } from "../../channels/channel.entity.ts";
import { Conversation, Message } from "../conversation.entity.ts";

export const MessageSend = defineEntity({
  name: "MessageSend",
  tableName: "message_sends",
  indexes: [
    // The line of each conversation.
    { name: "message_sends_of_conversation", properties: ["conversation", "id"] },
    // One conversation is one line, and one message is at its head. As expressions: a partial index written as properties is seen as changed at every comparison.
    {
      name: "message_sends_head",
      expression:
        'create unique index "message_sends_head" on "message_sends" ("conversation_id") where "at_head" = true',
    },
    // What may be sent and is in no queue yet.
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
    /** Whether it is the first of its conversation: the others wait in no queue until they are. */
    atHead: p.boolean(),
    /** The number of the last attempt. */
    attempt: p.type(Integer).default(0),
    /** Counts the claims: what an earlier one tells is refused. */
    fence: p.type(Integer).default(0),
    /** Set while it waits in the queue of its channel. */
    dueAt: p.datetime(3).nullable(),
    /** Set while a worker has it: after that it is taken for dead. */
    leasedUntil: p.datetime(3).nullable(),
    /** The worker that had it last. */
    leasedBy: p.type(Integer).nullable(),
  },
});

/** One row a channel, apart from it: it is written all the time. */
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
    /** No later than what is due first; null: nothing waits. */
    dueAt: p.datetime(3).nullable(),
    servedAt: p.datetime(3),
  },
});
