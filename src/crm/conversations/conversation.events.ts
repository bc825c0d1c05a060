/** The events of conversations. */
import { addedValue, defineEvent } from "../../events/define-event.ts";
import { automaticMark } from "./automatic-mark.ts";
import { conversationSpecimen, conversationView } from "./conversation.view.ts";

export const conversationCreated = defineEvent(
  "conversation.created",
  conversationView.extend({ automatic: automaticMark }),
  conversationSpecimen,
  ({ channel }) => [addedValue("channel", channel?.name)],
);

export const conversationUpdated = defineEvent(
  "conversation.updated",
  conversationView,
  { ...conversationSpecimen, changes: [{ field: "status", old: "closed", new: "open" }] },
  "changes",
);
