/** Applies delivery receipts: a message's status only moves forward. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import type { MessageStatus } from "../../../vocabulary/states.ts";
import { moveMessage } from "../messages/message-status.ts";
import type { ReceiptInput } from "./inbound.schema.ts";

const ofChannelText =
  "select conversation_id from messages where id = ? and channel_id = ? and direction = 'outbound' and kind = 'text'";

/** Applies a receipt with moveMessage. Refuses, on `message_id`, anything but an outbound text of the channel. */
export async function applyReceipt(
  change: Change<LocationContext>,
  channelId: number,
  { message_id, status, error = null, retry }: ReceiptInput,
): Promise<MessageStatus> {
  const [known] = await change.rows<{ conversation_id: number }>(ofChannelText, [message_id, channelId]);
  if (known === undefined) {
    throw new Invalid({ message_id: ["The message id field must name a text that was sent by this channel."] });
  }
  return moveMessage(change, message_id, { conversationId: known.conversation_id, status, error, retry });
}
