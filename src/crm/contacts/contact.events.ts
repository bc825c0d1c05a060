/** The events of contacts. */
import { z } from "zod";
import { addedValue, defineEvent, removedValue } from "../../events/define-event.ts";
import { tagSpecimen, tagView } from "../tags/tag.view.ts";
import { contactSpecimen } from "./contact.specimen.ts";
import { contactRecordView } from "./contact.view.ts";

export const contactCreated = defineEvent(
  "contact.created",
  contactRecordView,
  { ...contactSpecimen, tags: [] },
  "nothing",
);

export const contactUpdated = defineEvent(
  "contact.updated",
  contactRecordView.extend({ merged_contact_id: z.int().optional() }),
  { ...contactSpecimen, changes: [{ field: "company", old: null, new: "Analytical Engines" }] },
  "changes",
);

export const contactDeleted = defineEvent("contact.deleted", contactRecordView, contactSpecimen, "nothing");

const tagged = contactRecordView.extend({ tag: tagView });

export const contactTagAdded = defineEvent(
  "contact.tag_added",
  tagged,
  { ...contactSpecimen, tag: tagSpecimen },
  ({ tag }) => [addedValue("tag", tag.name)],
);

export const contactTagRemoved = defineEvent(
  "contact.tag_removed",
  tagged,
  { ...contactSpecimen, tags: [], tag: tagSpecimen },
  ({ tag }) => [removedValue("tag", tag.name)],
);
