/** The events of messages. */
import { addedValue, defineEvent } from "../../../events/define-event.ts";
import { contactReference, contactReferenceSpecimen } from "../../contact-activity.ts";
import { automaticMark } from "../automatic-mark.ts";
import { messageSpecimen, messageView } from "./message.view.ts";
import type { MessageView } from "./message.view.ts";

const shape = messageView.extend({ contact: contactReference.nullable() });

const timeline = ({ body, subject }: Pick<MessageView, "body" | "subject">) => [addedValue("message", body ?? subject)];

export const messageReceived = defineEvent(
  "message.received",
  shape.extend({ automatic: automaticMark }),
  { ...messageSpecimen, contact: contactReferenceSpecimen },
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
