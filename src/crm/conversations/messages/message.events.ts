/** The events of messages. */
import { z } from "zod";
import { addedValue, defineEvent } from "../../../events/define-event.ts";
import { channelKinds } from "../../../vocabulary/states.ts";
import { contactReference, contactReferenceSpecimen } from "../../contact-activity.ts";
import { automaticMark } from "../automatic-mark.ts";
import type { LockedConversation } from "../conversation-activity.ts";
import { messageSpecimen, messageView } from "./message.view.ts";
import type { MessageView } from "./message.view.ts";

const shape = messageView.extend({
  contact: contactReference.nullable(),
  channel: z.object({ id: z.int(), kind: z.enum(channelKinds), name: z.string() }),
});

/** The data of an event of a message: the message with its contact and its channel. */
export function toMessageData<Message extends MessageView>(
  { contact, channel_id: id, kind, channel_name: name }: LockedConversation,
  message: Message,
) {
  return { ...message, contact, channel: { id, kind, name } };
}

const channelSpecimen = { id: 1, kind: "email" as const, name: "Front desk" };

const timeline = ({ body, subject }: Pick<MessageView, "body" | "subject">) => [addedValue("message", body ?? subject)];

export const messageReceived = defineEvent(
  "message.received",
  shape.extend({ automatic: automaticMark }),
  { ...messageSpecimen, contact: contactReferenceSpecimen, channel: channelSpecimen },
  timeline,
);

const outbound = {
  ...messageSpecimen,
  direction: "outbound" as const,
  body: "Good morning! Here is our price list.",
  from_address: "desk@example.com",
  to_address: "ada@example.com",
  author: { id: 1, name: "Grace Hopper" },
  contact: contactReferenceSpecimen,
  channel: channelSpecimen,
};

export const messageSent = defineEvent(
  "message.sent",
  shape,
  { ...outbound, status: "sent", sent_at: "2026-03-01T12:00:00.000Z" },
  timeline,
);

export const messageFailed = defineEvent(
  "message.failed",
  shape,
  { ...outbound, status: "failed", error: "The mailbox does not exist." },
  ({ body, subject, error }) => [...timeline({ body, subject }), addedValue("error", error)],
);
