/** What is told of contacts. */
import { defineEvent } from "../../events/define-event.ts";
import { tagSpecimen, tagView } from "../tags/tag.view.ts";
import { contactSpecimen } from "./contact.specimen.ts";
import { contactRecordView } from "./contact.view.ts";

export const contactCreated = defineEvent("contact.created", contactRecordView, { ...contactSpecimen, tags: [] });

export const contactUpdated = defineEvent("contact.updated", contactRecordView, {
  ...contactSpecimen,
  changes: [{ field: "company", old: null, new: "Analytical Engines" }],
});

export const contactDeleted = defineEvent("contact.deleted", contactRecordView, contactSpecimen);

const tagged = contactRecordView.extend({ tag: tagView });

export const contactTagAdded = defineEvent("contact.tag_added", tagged, { ...contactSpecimen, tag: tagSpecimen });

export const contactTagRemoved = defineEvent("contact.tag_removed", tagged, {
  ...contactSpecimen,
  tags: [],
  tag: tagSpecimen,
});
