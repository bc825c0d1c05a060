/** What is told of notes. */
import { defineEvent } from "../../events/define-event.ts";
import { contactReference } from "../contact-activity.ts";
import { noteView } from "./note.view.ts";

export const noteAdded = defineEvent("note.added", noteView.extend({ contact: contactReference }), {
  id: 1,
  body: "Asked for a price list.",
  pinned: false,
  user: { id: 1, name: "Grace Hopper" },
  created_at: "2026-03-01T12:00:00.000Z",
  updated_at: "2026-03-01T12:00:00.000Z",
  contact: { id: 1, name: "Ada Lovelace", phone_display: "(415) 555-2671", email: "ada@example.com" },
});
