/** The queue of messages that are to be sent, by channel. Whoever writes a message only leaves it here: the worker puts it in line. */
import { defineQueue } from "../../../queues/queue.ts";
import type { Database } from "../../../storage/database.ts";
import { defineInsert, sendRows } from "../../../storage/inserting/insert.ts";
import { jsonRows } from "../../../storage/json-rows.ts";
import type { Writer } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";

/** Messages under way over one channel, in one process: mail servers count the connections of one client. */
export const mostOfOne = 4;

export const sendQueue = defineQueue({
  waiting: "message_sends",
  queues: "channel_queues",
  holders: "channels",
  holder: "channel_id",
  isServed: "channels.status <> 'paused'",
  facts: "channels.status",
  mostOfOne,
});

const sendInsert = defineInsert("message_sends", ["message_id", "channel_id"], {
  leaves: ["attempt", "fence", "due_at", "leased_until"],
});

/**
 * Leaves a queued message for the worker, in the transaction that writes it. It holds nothing that another message of the channel needs,
 * so that nobody who writes waits for somebody else.
 */
export function leaveForSending(
  writer: Writer,
  { messageId, channelId }: { readonly messageId: number; readonly channelId: number },
): void {
  sendRows(writer, sendInsert, [{ message_id: messageId, channel_id: channelId }]);
}

/** A message that is over is in no queue, whoever ended it. */
export function forgetSending(writer: Writer, messageId: number): void {
  writer.send("delete from message_sends where message_id = ?", [messageId]);
}

const batch = 1000;
const isNew = "due_at is null and leased_until is null";
const newText = sql`select id from message_sends where ${isNew} order by id limit ${batch}`;
const lineUpText = sql`update message_sends set due_at = ? where id in (${newText}${{ sqlite: "", postgres: " for update skip locked" }})
  returning channel_id`;

const channels = jsonRows({ channel_id: "integer" });
/** In one order, since two workers may make the same ones. */
const openText = sql`insert into channel_queues (channel_id, served_at)
  select channel_id, ${{ sqlite: "?", postgres: "cast(? as timestamptz)" }} from ${channels} as made where true order by channel_id
  on conflict (channel_id) do nothing`;

/** Puts up to a thousand new messages in the queues of their channels; resolves to how many. */
export async function lineUp(database: Database, now: Date): Promise<number> {
  if ((await database.rows(`select id from message_sends where ${isNew} limit 1`)).length === 0) return 0;
  return database.transaction(async (transaction) => {
    const lined = await transaction.rows<{ channel_id: number }>(lineUpText, [now]);
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
