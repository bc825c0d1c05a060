/**
 * The queue of outbound messages, by channel. Each conversation is a FIFO queue of its own: only its head is in the channel's queue, and the
 * next message follows when the head is sent or has failed permanently.
 */
import { defineQueue } from "../../../queues/queue.ts";
import type { Database } from "../../../storage/database.ts";
import { jsonKeys } from "../../../storage/json-rows.ts";
import { skipLocked } from "../../../storage/locks.ts";
import { timeParameter } from "../../../storage/rows.ts";
import type { Writer } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import { sendingStatus } from "../../channels/channel-health.ts";

/** Messages in flight per channel and process: mail servers limit the connections of a client. */
export const mostSendsOfChannel = 4;

export const sendQueue = defineQueue({
  waiting: "message_sends",
  queues: "channel_queues",
  holders: "channels",
  holder: "channel_id",
  isServed: "channels.status <> 'paused'",
  facts: `${sendingStatus} as status`,
  mostOfOne: mostSendsOfChannel,
});

const insertSendText = `insert into message_sends (message_id, channel_id, conversation_id, at_head)
  values (?, ?, ?, not exists (select 1 from message_sends where conversation_id = ?))`;

interface Queued {
  readonly messageId: number;
  readonly channelId: number;
  readonly conversationId: number;
}

/**
 * Appends a queued message to its conversation's queue, in the transaction that writes it. The lock on the conversation keeps the order; no
 * lock is taken that messages of other conversations on the channel need.
 */
export function enqueueMessage(writer: Writer, { messageId, channelId, conversationId }: Queued): void {
  writer.send(insertSendText, [messageId, channelId, conversationId, conversationId]);
}

const nextText = `update message_sends set at_head = true where at_head = false
  and id = (select min(id) from message_sends where conversation_id = ?)`;

/** Removes a message that was sent or has failed from its conversation's queue and makes the next one the head. The conversation must be locked. */
export function dequeueMessage(
  writer: Writer,
  { messageId, conversationId }: Pick<Queued, "messageId" | "conversationId">,
): void {
  writer.send("delete from message_sends where message_id = ?", [messageId]);
  writer.send(nextText, [conversationId]);
}

const batch = 1000;
const isNew = "at_head = true and due_at is null and leased_until is null";
const newText = sql`select id from message_sends where ${isNew} order by id limit ${batch}`;
const enqueueText = sql`update message_sends set due_at = ? where id in (${newText}${skipLocked()})
  returning channel_id`;

const channels = jsonKeys({ channel_id: "integer" });
/** Ordered, because concurrent workers may insert the same rows: prevents deadlocks. */
const openText = sql`insert into channel_queues (channel_id, served_at)
  select channel_id, ${timeParameter} from ${channels} as made where true order by channel_id
  on conflict (channel_id) do nothing`;

/** Adds up to `batch` new heads to the queues of their channels; resolves to how many. */
export async function enqueueHeads(database: Database, now: Date): Promise<number> {
  if ((await database.rows(`select id from message_sends where ${isNew} limit 1`)).length === 0) return 0;
  return database.transaction(async (transaction) => {
    const lined = await transaction.rows<{ channel_id: number }>(enqueueText, [now]);
    const ids = [...new Set(lined.map(({ channel_id }) => channel_id))];
    if (ids.length === 0) return 0;
    transaction.send(openText, [now, JSON.stringify(ids.map((channel_id) => ({ channel_id })))]);
    sendQueue.bringForward(
      transaction,
      ids.map((holder) => ({ holder, dueAt: now })),
    );
    return lined.length;
  });
}
