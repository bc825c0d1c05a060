/** The events of messages. */
import { came, defineEvent } from "../../../events/define-event.ts";
import { contactReference, contactReferenceSpecimen } from "../../contact-activity.ts";
import { automaticMark } from "../automatic-mark.ts";
import { messageSpecimen, messageView } from "./message.view.ts";
import type { MessageView } from "./message.view.ts";

const shape = messageView.extend({ contact: contactReference.nullable() });

const about = ({ body, subject }: Pick<MessageView, "body" | "subject">) => [came("message", body ?? subject)];

export const messageReceived = defineEvent(
  "message.received",
  shape.extend({ automatic: automaticMark }),
  { ...messageSpecimen, contact: contactReferenceSpecimen },
  about,
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
  about,
);

export const messageFailed = defineEvent(
  "message.failed",
  shape,
  { ...outbound, status: "failed", error: "The mailbox does not exist." },
  ({ body, subject, error }) => [...about({ body, subject }), came("error", error)],
);
