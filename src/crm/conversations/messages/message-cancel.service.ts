/** Cancels a message that waits in the send queue. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { forUpdate } from "../../../storage/locks.ts";
import { sql } from "../../../storage/sql-text.ts";
import { Invalid, Refusal } from "../../../vocabulary/errors.ts";
import { lockConversation } from "../conversation-activity.ts";
import { applyStatus, lockMessage } from "./message-status.ts";
import { getMessageRow } from "./message.queries.ts";
import { toMessage } from "./message.view.ts";
import type { MessageRow, MessageView } from "./message.view.ts";

/** Excludes a claim: of a cancellation and a worker that claims the message, the first to lock this row wins. */
const unclaimedText = sql`select id from message_sends where message_id = ? and leased_until is null${forUpdate("message_sends")}`;
/** The `error` of a canceled message. */
export const canceled = "Canceled before it was sent.";

/**
 * Fails a queued message and raises message.failed; the next of its conversation follows. Refuses `conversation.not_found`,
 * `message.not_found`, and with 422 on `message` one that is not queued or is being sent.
 */
export async function cancelMessage(
  change: Change<LocationContext>,
  conversationId: number,
  { id, conversation_id }: Pick<MessageRow, "id" | "conversation_id">,
): Promise<MessageView> {
  const conversation = await lockConversation(change, conversationId);
  const locked = conversation_id === conversationId ? await lockMessage(change, id) : undefined;
  if (locked === undefined) throw new Refusal("message.not_found");
  if (locked.status !== "queued") refuse(`Only a queued message can be canceled; this one is ${locked.status}.`);
  if ((await change.rows(unclaimedText, [id])).length === 0) refuse("The message is being sent.");
  await applyStatus(change, conversation, { id, locked, status: "failed", error: canceled });
  return toMessage(await getMessageRow(change, id), change.tools);
}

function refuse(reason: string): never {
  throw new Invalid({ message: [reason] });
}
