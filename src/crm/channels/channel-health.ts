/** The health of a channel: its status, and the error for the operator. */
import { truncate } from "../../kit/text.ts";
import { forNoKeyUpdate } from "../../storage/locks.ts";
import type { Writer } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { limits } from "../../vocabulary/limits.ts";

/** SQL: the status of a channel for what it sends. One that is in error for its mailbox alone sends as ever. */
export const sendingStatus = `(case when channels.status = 'error' and exists (select 1 from mailboxes
    where mailboxes.channel_id = channels.id and mailboxes.error = channels.error) then 'active' else channels.status end)`;

const breaksText = "update channels set status = 'error', error = ? where id = ? and status = 'active' returning id";
const otherReasonText = "update channels set error = ? where id = ? and status = 'error' and error is distinct from ?";
/** A channel whose mailbox cannot be read stays in error, with the reason of that. */
const worksText = `update channels set error = (select error from mailboxes where channel_id = channels.id),
    status = case when exists (select 1 from mailboxes where channel_id = channels.id and error is not null) then 'error' else 'active' end
  where id = ? and status = 'error'`;
const lockText = sql`select id from channels where id = ?${forNoKeyUpdate("channels")}`;
const otherMailboxReasonText =
  "update channels set error = ? where id = ? and status = 'error' and error = ? and error <> ?";
const readableText =
  "update channels set status = 'active', error = null where id = ? and status = 'error' and error = ?";

/** Records that the channel cannot deliver; resolves to whether its status changed. A paused one stays paused. */
export async function noteBroken(writer: Writer, channelId: number, reason: string): Promise<boolean> {
  const error = truncate(reason, limits.messageError);
  if ((await writer.rows(breaksText, [error, channelId])).length > 0) return true;
  writer.send(otherReasonText, [error, channelId, error]);
  return false;
}

/** Records that the channel delivers. */
export function noteWorking(writer: Writer, channelId: number): void {
  writer.send(worksText, [channelId]);
}

/** Locks the status and the error until the commit, before the row of the mailbox. */
export async function lockHealth(writer: Writer, channelId: number): Promise<void> {
  await writer.rows(lockText, [channelId]);
}

/**
 * Records that the mailbox of the channel cannot be read; resolves to whether the status of the channel changed. `earlier`: why it could not
 * before. A channel that cannot send keeps the reason of that.
 */
export async function noteMailboxBroken(
  writer: Writer,
  channelId: number,
  { reason, earlier }: { readonly reason: string; readonly earlier: string | null },
): Promise<boolean> {
  if ((await writer.rows(breaksText, [reason, channelId])).length > 0) return true;
  if (earlier !== null) writer.send(otherMailboxReasonText, [reason, channelId, earlier, reason]);
  return false;
}

/** Records that the mailbox of the channel can be read again. `reason`: why it could not. A channel that cannot send stays in error. */
export function noteMailboxWorking(writer: Writer, channelId: number, reason: string): void {
  writer.send(readableText, [channelId, truncate(reason, limits.messageError)]);
}
