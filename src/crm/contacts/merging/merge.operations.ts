/** The operations that make two contacts one. */
import { creation } from "../../../kit/input/creation.ts";
import { recordId } from "../../../kit/input/fields.ts";
import { pageQuery } from "../../../kit/page-shapes.ts";
import { lockedByChange, operation } from "../../../operation/operation.ts";
import { Outcome } from "../../../operation/outcome.ts";
import { findContactReference } from "../../contact-activity.ts";
import { contactRecord } from "../write/contact.record.ts";
import { showContact } from "../contact.queries.ts";
import { contactView } from "../contact.view.ts";
import { listMerges } from "./merge.queries.ts";
import { mergeContacts as merge } from "./merge.service.ts";
import { mergeListView } from "./merge.view.ts";

const mergeInput = creation({ contact_id: recordId() }).meta({ examples: [{ contact_id: 2 }] });

export const mergeContacts = operation({
  name: "mergeContacts",
  summary: "Merges another contact into a contact, which keeps its values and takes those that it lacks.",
  noun: "Contacts",
  may: { scope: "contacts.write", role: "member" },
  find: { contact: lockedByChange(findContactReference) },
  input: mergeInput,
  record: contactRecord,
  gives: contactView,
  size: () => "large",
  change: async (change, { contact, input }) => {
    const { row, isDone } = await merge(change, contact.id, input.contact_id);
    return new Outcome(await showContact(change, row), { isPending: !isDone });
  },
});

export const listContactMerges = operation({
  name: "listContactMerges",
  summary: "Lists the contacts that were merged into a contact, and whether all their records were moved.",
  noun: "Contacts",
  may: { scope: "contacts.readonly", role: "member" },
  find: { contact: findContactReference },
  query: pageQuery,
  gives: mergeListView,
  read: async (reader, { contact, query }) => await listMerges(reader, contact.id, query),
});
