/** The events of notes. */
import { addedValue, defineEvent } from "../../events/define-event.ts";
import { contactReference, contactReferenceSpecimen } from "../contact-activity.ts";
import { noteSpecimen, noteView } from "./note.view.ts";

export const noteAdded = defineEvent(
  "note.added",
  noteView.extend({ contact: contactReference }),
  { ...noteSpecimen, contact: contactReferenceSpecimen },
  ({ body }) => [addedValue("note", body)],
);
