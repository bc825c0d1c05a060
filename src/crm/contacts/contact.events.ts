/** What is told of contacts. */
import { defineEvent } from "../../events/define-event.ts";
import { tagView } from "../tags/tag.view.ts";
import { contactRecordView } from "./contact.view.ts";
import type { ContactRecordView } from "./contact.view.ts";

const tag = { id: 1, name: "VIP", color: "#c0392b" };

const specimen: ContactRecordView = {
  id: 1,
  name: "Ada Lovelace",
  first_name: "Ada",
  last_name: "Lovelace",
  email: "ada@example.com",
  phone_display: "(415) 555-2671",
  interest: "Analytical engines",
  source: "Website",
  owner: { id: 1, name: "Grace Hopper" },
  tags: [tag],
  stage: null,
  value_cents: 0,
  last_activity_at: "2026-03-01T12:00:00.000Z",
  next_task: null,
  dnd: false,
  company: "Analytical Engines",
  address1: "1 Main Street",
  city: "Springfield",
  state: "NY",
  zip: "10001",
  timezone: "America/New_York",
  created_at: "2026-03-01T12:00:00.000Z",
  updated_at: "2026-03-01T12:00:00.000Z",
  external_ref: "crm-4711",
};

export const contactCreated = defineEvent("contact.created", contactRecordView, { ...specimen, tags: [] });

export const contactUpdated = defineEvent("contact.updated", contactRecordView, {
  ...specimen,
  changes: [{ field: "company", old: null, new: "Analytical Engines" }],
});

export const contactDeleted = defineEvent("contact.deleted", contactRecordView, specimen);

const tagged = contactRecordView.extend({ tag: tagView });

export const contactTagAdded = defineEvent("contact.tag_added", tagged, { ...specimen, tag });

export const contactTagRemoved = defineEvent("contact.tag_removed", tagged, { ...specimen, tags: [], tag });
