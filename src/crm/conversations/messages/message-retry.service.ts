/** Manual retry of a message that failed permanently. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { defineUpdate, updateRow } from "../../../storage/inserting/insert.ts";
import { Invalid, Refusal } from "../../../vocabulary/errors.ts";
import { channelTransports } from "../../channels/transports/all.ts";
import { lockConversation, recordOnTimeline } from "../conversation-activity.ts";
import { enqueueMessage } from "../sending/send-queue.ts";
import { lockMessage } from "./message-status.ts";
import { getMessageRow } from "./message.queries.ts";
import { sentEvents } from "./message.service.ts";
import { toMessage } from "./message.view.ts";
import type { MessageRow, MessageView } from "./message.view.ts";
import { findRecipient } from "./recipient.ts";

const update = defineUpdate("messages", ["status", "error", "to_address", "sent_at", "delivered_at", "retries"]);

/**
 * Queues a failed message again, behind those of its conversation that still wait, to the recipient's current address. It keeps its id and
 * its Message-ID, so that a provider that has it already can drop the duplicate. Refuses `conversation.not_found`, `message.not_found`, and
 * with 422 on `message` one that cannot be retried, on `contact_id` a contact that the channel cannot reach.
 */
export async function retryMessage(
  change: Change<LocationContext>,
  conversationId: number,
  { id, conversation_id }: Pick<MessageRow, "id" | "conversation_id">,
  transports = channelTransports,
): Promise<MessageView> {
  const conversation = await lockConversation(change, conversationId);
  if (conversation_id !== conversationId) throw new Refusal("message.not_found");
  const locked = await lockMessage(change, id);
  if (locked === undefined) throw new Refusal("message.not_found");
  if (locked.status !== "failed") refuse(`Only a failed message can be retried; this one is ${locked.status}.`);
  if (conversation.channel_status === "paused") refuse("The channel is paused. Resume it, then retry the message.");
  const { accepts } = transports.of(conversation.transport);
  const to = accepts === "sent" ? null : await findRecipient(change, conversationId);
  if (to !== null && "lacks" in to) throw new Invalid({ contact_id: [`The contact id field ${to.lacks}`] });
  updateRow(change, update, id, {
    status: accepts,
    error: null,
    to_address: to?.address ?? null,
    sent_at: accepts === "sent" ? change.now : null,
    delivered_at: null,
    retries: locked.retries + 1,
  });
  if (accepts === "queued")
    enqueueMessage(change, { messageId: id, channelId: conversation.channel_id, conversationId });
  const message = toMessage(await getMessageRow(change, id), change.tools);
  const events = sentEvents(conversation, message);
  if (events.length > 0) recordOnTimeline(change, conversation.contact, ...events);
  return message;
}

function refuse(reason: string): never {
  throw new Invalid({ message: [reason] });
}
