/** send_message: writes to the contact on a channel, in the conversation that is open there or a new one. */
import { readInput } from "../../../kit/input/read-input.ts";
import { startConversation } from "../../conversations/conversation.service.ts";
import { messageInput } from "../../conversations/conversation.schema.ts";
import { refuseTooManyAutomatic } from "../../conversations/messages/automatic-messages.ts";
import type { Action } from "./action.ts";

const dndText = "select dnd from contacts where id = ?";

export const sendMessageAction: Action<"send_message"> = async (change, node, { contactId, fill }) => {
  const [contact] = await change.rows<{ dnd: boolean | number }>(dndText, [contactId]);
  if (contact?.dnd) return "dnd";
  // Judged as it is once its templates are filled: it may be empty then, or too long.
  const { body, subject } = readInput(messageInput, {
    body: await fill(node.body),
    subject: node.subject === null || node.subject === undefined ? null : await fill(node.subject),
  });
  await refuseTooManyAutomatic(change, { contactId, channelId: node.channel_id });
  await startConversation(change, { contact_id: contactId, channel_id: node.channel_id, body, subject });
  return "sent";
};
