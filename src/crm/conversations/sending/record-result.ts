/** Records the result of an attempt to send a message: sent, failed, or to be retried. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { truncate } from "../../../kit/text.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { moveMessage } from "../messages/message-status.ts";
import type { ClaimedSend } from "./claim.ts";
import { sendQueue } from "./send-queue.ts";

/**
 * The transport accepted it. Recorded without a fencing check: it was sent, even if another worker has claimed it since. Ignored if it has been
 * deleted since, after the lease of this worker.
 */
export async function recordSent(
  change: Change<LocationContext>,
  send: ClaimedSend,
  conversationId: number,
): Promise<void> {
  try {
    await moveMessage(change, send.message_id, { conversationId, status: "sent", error: null });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

const ownText = "select id from message_sends where id = ? and fence = ?";

/** It failed permanently. Ignored if another worker has claimed it since. */
export async function recordFailed(
  change: Change<LocationContext>,
  send: ClaimedSend,
  { conversationId, reason }: { readonly conversationId: number; readonly reason: string },
): Promise<void> {
  if ((await change.rows(ownText, [send.id, send.fence])).length === 0) return;
  const error = truncate(reason, limits.messageError);
  await moveMessage(change, send.message_id, { conversationId, status: "failed", error });
}

const whyText = `update messages set error = ? where id = ? and status = 'queued'
  and exists (select 1 from message_sends where message_sends.id = ? and fence = ?)`;
const againText = "update message_sends set due_at = ?, leased_until = null where id = ? and fence = ? returning id";

/** Schedules a retry at `dueAt`, and stores the reason in the message's `error`. */
export async function recordRetry(
  change: Change<LocationContext>,
  send: ClaimedSend,
  { dueAt, reason }: { readonly dueAt: Date; readonly reason: string },
): Promise<void> {
  change.send(whyText, [truncate(reason, limits.messageError), send.message_id, send.id, send.fence]);
  const own = await change.rows(againText, [dueAt, send.id, send.fence]);
  if (own.length > 0) sendQueue.bringForward(change, [{ holder: send.channel_id, dueAt }]);
}

const backText = `update message_sends set due_at = ?, leased_until = null, attempt = attempt - 1
  where id = ? and fence = ? returning id`;

/** The result is unknown because the worker is stopping: due again immediately, and the attempt does not count. */
export async function recordReleased(change: Change<LocationContext>, send: ClaimedSend): Promise<void> {
  const own = await change.rows(backText, [change.now, send.id, send.fence]);
  if (own.length > 0) sendQueue.bringForward(change, [{ holder: send.channel_id, dueAt: change.now }]);
}
