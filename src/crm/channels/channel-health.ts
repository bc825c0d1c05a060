/** The health of a channel: its status, and the error for the operator. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { truncate } from "../../kit/text.ts";
import { limits } from "../../vocabulary/limits.ts";

const breaksText = "update channels set status = 'error', error = ? where id = ? and status = 'active' returning id";
const otherReasonText = "update channels set error = ? where id = ? and status = 'error' and error is distinct from ?";
const worksText = "update channels set status = 'active', error = null where id = ? and status = 'error'";

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
