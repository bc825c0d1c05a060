/** The health of a channel: its status, and the error for the operator. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { truncate } from "../../kit/text.ts";
import { limits } from "../../vocabulary/limits.ts";

const breaksText = "update channels set status = 'error', error = ? where id = ? and status = 'active' returning id";
const otherReasonText = "update channels set error = ? where id = ? and status = 'error' and error is distinct from ?";
/** A channel whose mailbox cannot be read stays in error, with the reason of that. */
const worksText = `update channels set error = (select error from mailboxes where channel_id = channels.id),
    status = case when exists (select 1 from mailboxes where channel_id = channels.id and error is not null) then 'error' else 'active' end
  where id = ? and status = 'error'`;
const readableText =
  "update channels set status = 'active', error = null where id = ? and status = 'error' and error = ?";

/** Records that the channel cannot deliver; resolves to whether its status changed. A paused one stays paused. */
export async function noteBroken(change: Change<LocationContext>, channelId: number, reason: string): Promise<boolean> {
  const error = truncate(reason, limits.messageError);
  if ((await change.rows(breaksText, [error, channelId])).length > 0) return true;
  change.send(otherReasonText, [error, channelId, error]);
  return false;
}

/** Records that the channel delivers. */
export function noteWorking(change: Change<LocationContext>, channelId: number): void {
  change.send(worksText, [channelId]);
}

/** Records that the mailbox of the channel can be read again. `reason`: why it could not. A channel that cannot send stays in error. */
export function noteMailboxWorking(change: Change<LocationContext>, channelId: number, reason: string): void {
  change.send(readableText, [channelId, truncate(reason, limits.messageError)]);
}
