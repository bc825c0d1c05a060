/** Deletes a conversation with its messages, in pieces: a long one takes several transactions. */
import type { Caller, Change, LocationContext } from "../../events/caller.ts";
import { listed } from "../../storage/json.ts";
import { forUpdate } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { raiseActivities } from "../contact-activity.ts";
import { lockConversation } from "./conversation-activity.ts";
import type { LockedConversation } from "./conversation-activity.ts";
import { detachedAt } from "./attachments/attachment.duties.ts";
import { canceled } from "./messages/message-cancel.service.ts";
import { messageFailed, toMessageData } from "./messages/message.events.ts";
import { findMessages } from "./messages/message.queries.ts";
import { toMessage } from "./messages/message.view.ts";
import type { MessageRow } from "./messages/message.view.ts";

/** Messages per transaction, to keep locks short; queued ones are read in full, for their events. */
const mostAtOnce = 1000;
const mostQueued = 50;

/**
 * Queued messages are canceled first, each with message.failed; nothing else raises an event, and those about the conversation stay on the
 * timeline. Its files are removed by the duty for attachments. If it is interrupted, the latest messages are left: deleting again finishes.
 * Refuses `conversation.not_found`, and with 422 on `message` while one is being sent, whose result would be lost.
 */
export async function deleteConversation(
  caller: Caller<LocationContext>,
  id: number,
  progress: (count: number) => unknown = () => {},
): Promise<void> {
  let count = 0;
  for (let isDone = false; !isDone;) {
    const removed = await caller.change((change) => removeConversationPiece(change, id), "large");
    ({ isDone } = removed);
    count += removed.count;
    await progress(count);
  }
}

interface RemovedPiece {
  /** Messages. */
  readonly count: number;
  readonly files: number;
  /** The conversation is deleted; with `keepsRow`, it is empty. */
  readonly isDone: boolean;
}

const emptyText = `update conversations set contact_key = '', sender_key = null, subject = null, preview = null, unread_count = 0
  where id = ?`;

/** Removes some of the messages, and with the last of them the conversation, or what its row says of them. Refuses as deleteConversation does. */
export async function removeConversationPiece(
  change: Change<LocationContext>,
  id: number,
  { keepsRow = false }: { readonly keepsRow?: boolean } = {},
): Promise<RemovedPiece> {
  const conversation = await lockConversation(change, id);
  const queued = await change.rows<QueuedMessage>(queuedText, [id]);
  // The oldest follow only the last of the queue, which may be among them.
  const oldest = queued.length < mostQueued ? idsOf(await change.rows<{ id: number }>(oldestText, [id])) : [];
  const ids = [...new Set([...idsOf(queued), ...oldest])];
  const rows = await findMessages(change, idsOf(queued));
  const files = await detachFiles(change, ids);
  if (queued.length > 0) await cancelQueued(change, conversation, queued, rows);
  removeMessages(change, conversation, ids);
  const isDone = queued.length < mostQueued && oldest.length < mostAtOnce;
  if (isDone) change.send(keepsRow ? emptyText : "delete from conversations where id = ?", [id]);
  return { count: ids.length, files, isDone };
}

interface QueuedMessage {
  readonly id: number;
  readonly cause_run_id: number | null;
  readonly cause_depth: number;
}

// Without locks: the conversation's lock keeps its messages, and attachments are locked before messages. Newest first: what is left in the
// queue is sent in its order.
const queuedText = sql`select id, cause_run_id, cause_depth from messages
  where id in (select message_id from message_sends where conversation_id = ? order by id desc limit ${mostQueued})
  order by id`;
const oldestText = sql`select id from messages where conversation_id = ? order by id limit ${mostAtOnce}`;
const claimsText = sql`select leased_until from message_sends where message_id in ${listed}${forUpdate("message_sends")}`;
const lockText = sql`select id from messages where id in ${listed} order by id${forUpdate("messages")}`;

function idsOf(rows: readonly { readonly id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

/** Excludes claims, as the cancellation of one message does. */
async function cancelQueued(
  change: Change<LocationContext>,
  conversation: LockedConversation,
  queued: readonly QueuedMessage[],
  rows: readonly MessageRow[],
): Promise<void> {
  const ids = idsOf(queued);
  await change.rows(lockText, [JSON.stringify(ids)]);
  const claims = await change.rows<{ leased_until: number | null }>(claimsText, [JSON.stringify(ids)]);
  if (claims.some(({ leased_until: until }) => until !== null))
    throw new Invalid({ message: ["A message of the conversation is being sent. Delete it in a minute."] });
  const causes = new Map(queued.map((one) => [one.id, one]));
  raiseActivities(
    change,
    rows.map((row) => {
      const { cause_run_id: runId, cause_depth: depth } = causes.get(row.id)!;
      const message = toMessage({ ...row, status: "failed", error: canceled }, change.tools);
      const cause = runId === null ? null : { runId, depth };
      const record = messageFailed.of(toMessageData(conversation, message), { cause });
      return { contactId: conversation.contact?.id ?? null, record };
    }),
  );
}

/** No URL finds them any more, and the duty for attachments removes them at its next turn. */
const detachText = sql`update attachments set message_id = null, is_stored = false, created_at = ? where message_id in ${listed}
  returning id`;

async function detachFiles(change: Change<LocationContext>, ids: readonly number[]): Promise<number> {
  const detached = await change.rows(detachText, [detachedAt, JSON.stringify(ids)]);
  return detached.length;
}

/** Refers to the locked contact: a deleted one is not locked, and needs no URL to unsubscribe. */
const keepRecipientsText = sql`insert into removed_mails (id, contact_id) select id, cast(? as bigint) from messages
  where id in ${listed} and cause_run_id is not null and direction = 'outbound'`;
/** What is queued of them goes with them. */
const deleteText = sql`delete from messages where id in ${listed}`;

function removeMessages(
  change: Change<LocationContext>,
  { kind, contact }: LockedConversation,
  ids: readonly number[],
) {
  const list = JSON.stringify(ids);
  if (kind === "email" && contact !== null) change.send(keepRecipientsText, [contact.id, list]);
  change.send(deleteText, [list]);
}
