/** send_message: sends the contact a message on a channel, in the open conversation there or a new one. */
import { z } from "zod";
import { nullableText, recordId, text } from "../../../kit/input/fields.ts";
import { readInput } from "../../../kit/input/read-input.ts";
import { nextTimeOfDay, readTimeOfDay } from "../../../kit/time/opening.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { attachmentIds } from "../../conversations/attachments/attachment.schema.ts";
import { copyAttachments } from "../workflow-attachments.ts";
import { messageInput } from "../../conversations/conversation.schema.ts";
import { startConversation } from "../../conversations/conversation.service.ts";
import { findAvailability } from "../../conversations/sending/channel-availability.ts";
import { refuseTooManyAutomatic } from "../../conversations/messages/automatic-messages.ts";
import { quoted } from "../definition/excerpt.ts";
import { defineAction } from "../definition/node-type.ts";
import { next, nodeId, templates, timeOfDay } from "../definition/parts.schema.ts";

export const sendMessageNode = defineAction({
  type: "send_message",
  scopes: () => ["conversations.write"],
  schema: z
    .strictObject({
      type: z.literal("send_message"),
      channel_id: recordId(),
      body: text(limits.messageBody).describe(templates),
      subject: nullableText(limits.subject).describe(templates),
      attachment_ids: attachmentIds.describe("Files that were uploaded for the workflow, sent with each message."),
      at: timeOfDay
        .optional()
        .describe("Sent at the next time of day in the location's time zone, by default at once."),
      on_error: nodeId.optional().describe("The node after a message that cannot be sent; without one the run fails."),
      next,
    })
    .describe("Sends the contact a message. If the contact is set to `dnd`, the run ends here."),
  about:
    "sends a message in the contact's open conversation on the channel. If the contact is set to `dnd`, the run ends as `dnd`. " +
    "While the channel is paused or cannot deliver, the run waits. " +
    "`attachment_ids` names [files](#files). The 21st message to a contact on a channel within an hour fails the run ([loops](channels.md#loops)). With `at`, such as " +
    '`"09:00"`, it is sent at the next such time of the location. A message that fails for good moves the run to `on_error`',
  startsAt: ({ at }, since, timeZone) =>
    at === undefined ? undefined : nextTimeOfDay(since, readTimeOfDay(at)!, timeZone),
  onError: (node) => node.on_error,
  exits: (node) => [
    { when: "next", to: node.next, ends: "finished" },
    ...(node.on_error === undefined ? [] : [{ when: "failed", to: node.on_error, ends: "error" } as const]),
  ],
  fields: ({ channel_id, body, subject, attachment_ids }) => [
    { field: "channel_id", holds: "channel", value: channel_id },
    { field: "body", holds: "template", value: body },
    { field: "subject", holds: "template", value: subject },
    { field: "attachment_ids", holds: "attachments", value: attachment_ids },
  ],
  summary: ({ channel_id, body, subject, attachment_ids, at }) =>
    `send ${quoted(subject ?? body)}${describeFiles(attachment_ids?.length ?? 0)} on channel ${channel_id}${at === undefined ? "" : ` at ${at}`}`,
  async perform(change, node, { contactId, fill }) {
    const { channel_id: channelId } = node;
    const availability = await findAvailability(change, channelId, contactId);
    if (availability === "dnd") return "dnd";
    // An open circuit breaker: the channel does not send.
    if (availability === "open") return { awaitsChannel: channelId };
    // Validated after the templates are filled, since the result may be empty or too long.
    const { body, subject } = readInput(messageInput, {
      body: await fill(node.body),
      subject: node.subject === null || node.subject === undefined ? null : await fill(node.subject),
    });
    await refuseTooManyAutomatic(change, { contactId, channelId });
    try {
      const { message } = await startConversation(
        change,
        { contact_id: contactId, channel_id: channelId, body, subject, attachment_ids: node.attachment_ids ?? null },
        copyAttachments,
      );
      return { result: "sent", detail: { message_id: message!.id } };
    } catch (error) {
      // Refusals are thrown before anything is written. The channel may have been paused since it was read.
      const isPaused = error instanceof Invalid && (await findAvailability(change, channelId, contactId)) === "open";
      if (isPaused) return { awaitsChannel: channelId };
      throw error;
    }
  },
});

function describeFiles(count: number): string {
  if (count === 0) return "";
  return count === 1 ? " with a file" : ` with ${count} files`;
}
