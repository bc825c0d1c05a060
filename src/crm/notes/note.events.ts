/** What is told of notes. */
import { defineEvent } from "../../events/define-event.ts";
import { contactReference } from "../contact-activity.ts";
import { noteSpecimen, noteView } from "./note.view.ts";

export const noteAdded = defineEvent("note.added", noteView.extend({ contact: contactReference }), {
  ...noteSpecimen,
  contact: { id: 1, name: "Ada Lovelace", phone_display: "(415) 555-2671", email: "ada@example.com" },
});
