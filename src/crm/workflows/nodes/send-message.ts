/** send_message: sends the contact a message on a channel, in the open conversation there or a new one. */
import { z } from "zod";
import { nullableText, recordId, text } from "../../../kit/input/fields.ts";
import { readInput } from "../../../kit/input/read-input.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { messageInput } from "../../conversations/conversation.schema.ts";
import { startConversation } from "../../conversations/conversation.service.ts";
import { refuseTooManyAutomatic } from "../../conversations/messages/automatic-messages.ts";
import { quoted } from "../definition/excerpt.ts";
import { defineAction } from "../definition/node-type.ts";
import { next, templates } from "../definition/parts.schema.ts";

const dndText = "select dnd from contacts where id = ?";

export const sendMessageNode = defineAction({
  type: "send_message",
  schema: z
    .strictObject({
      type: z.literal("send_message"),
      channel_id: recordId(),
      body: text(limits.messageBody).describe(templates),
      subject: nullableText(limits.subject).describe(templates),
      next,
    })
    .describe("Sends the contact a message. If the contact is set to `dnd`, the run ends here."),
  about:
    "sends a message in the contact's open conversation on the channel. If the contact is set to `dnd`, the run ends as `dnd`. " +
    "The 21st message to a contact on a channel within an hour fails the run ([loops](channels.md#loops))",
  fields: ({ channel_id, body, subject }) => [
    { field: "channel_id", holds: "channel", value: channel_id },
    { field: "body", holds: "template", value: body },
    { field: "subject", holds: "template", value: subject },
  ],
  summary: ({ channel_id, body, subject }) => `send ${quoted(subject ?? body)} on channel ${channel_id}`,
  async perform(change, node, { contactId, fill }) {
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
  },
});
