/** The operations of contacts. */
import { z } from "zod";
import { withIdsAhead } from "../../operation/ids-ahead.ts";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { Outcome } from "../../operation/outcome.ts";
import { findContactReference } from "../contact-activity.ts";
import { findTag } from "../tags/tag.queries.ts";
import * as contactTags from "./contact-tags.service.ts";
import * as queries from "./contact.queries.ts";
import { withActivity } from "./contact.row.ts";
import {
  bulkContactsInput,
  contactListQuery,
  contactTagInput,
  createContactInput,
  updateContactInput,
  upsertContactInput,
} from "./contact.schema.ts";
import * as service from "./contact.service.ts";
import { bulkContactsView, contactListView, contactView, upsertContactView } from "./contact.view.ts";
import * as lists from "./list/contact.list.ts";
import { contactRecord } from "./write/contact.record.ts";
import { insertedWithContact } from "./write/contact.write.ts";

export const listContacts = operation({
  name: "listContacts",
  summary: "Lists contacts, newest activity first.",
  noun: "Contacts",
  may: { scope: "contacts.readonly", role: "member" },
  query: contactListQuery,
  gives: contactListView,
  read: async (reader, { query }) => await lists.listContacts(reader, query),
});

export const createContact = withIdsAhead(
  insertedWithContact,
  operation({
    name: "createContact",
    summary: "Creates a contact.",
    noun: "Contacts",
    may: { scope: "contacts.write", role: "member" },
    input: createContactInput,
    record: contactRecord,
    gives: contactView,
    change: async (change, { input }) => await service.createContact(change, input),
  }),
);

export const upsertContact = operation({
  name: "upsertContact",
  summary: "Updates the contact with the given email or phone, or creates one.",
  noun: "Contacts",
  may: { scope: "contacts.write", role: "member" },
  input: upsertContactInput,
  gives: upsertContactView,
  change: async (change, { input }) => {
    const { upserted, isUnchanged } = await service.upsertContact(change, input);
    return new Outcome(upserted, { isNew: upserted.created, isUnchanged });
  },
});

export const bulkUpsertContacts = operation({
  name: "bulkUpsertContacts",
  summary: "Upserts up to 200 contacts. Results are in the order sent.",
  noun: "Contacts",
  may: { scope: "contacts.write", role: "member" },
  input: bulkContactsInput,
  gives: bulkContactsView,
  // Smaller batches share a group commit with other changes.
  size: ({ input }) => (input.contacts.length > 50 ? "large" : undefined),
  change: async (change, { input }) => await service.bulkUpsertContacts(change, input.contacts),
  mend: async (caller, { input }) => ({ contacts: await service.withoutRefused(caller, input.contacts) }),
});

export const getContact = operation({
  name: "getContact",
  summary: "Returns a contact with its opportunities, tasks, notes, conversations and activities.",
  noun: "Contacts",
  may: { scope: "contacts.readonly", role: "member" },
  find: { contact: queries.findContact },
  record: contactRecord,
  gives: contactView,
  read: async (_reader, { contact }) => contact,
});

export const updateContact = operation({
  name: "updateContact",
  summary: "Updates the given fields of a contact.",
  noun: "Contacts",
  may: { scope: "contacts.write", role: "member" },
  find: { contact: lockedByChange(findContactReference) },
  input: updateContactInput,
  record: contactRecord,
  gives: contactView,
  change: async (change, { contact, input }) =>
    service.showWritten(change, await service.updateContact(change, contact.id, input)),
});

export const addContactTag = operation({
  name: "addContactTag",
  summary: "Adds a tag of the workspace to a contact.",
  noun: "Contacts",
  may: { scope: "contacts.write", role: "member" },
  find: { contact: lockedByChange(findContactReference) },
  input: contactTagInput,
  record: contactRecord,
  gives: contactView,
  change: async (change, { contact, input }) => {
    const tagged = await contactTags.addContactTag(change, contact.id, input, queries.getContactRow);
    return tagged === undefined
      ? new Outcome(await queries.getContact(change, contact.id), { isUnchanged: true })
      : await queries.showContact(change, withActivity(tagged.row, tagged.activity));
  },
});

export const removeContactTag = operation({
  name: "removeContactTag",
  summary: "Removes a tag from a contact.",
  noun: "Contacts",
  may: { scope: "contacts.write", role: "member" },
  find: { contact: lockedByChange(findContactReference), tag: findTag },
  input: z.object({}),
  record: contactRecord,
  gives: contactView,
  change: async (change, { contact, tag }) => {
    const { row, activity } = await contactTags.removeContactTag(change, contact.id, tag, queries.getContactRow);
    return queries.showContact(change, withActivity(row, activity));
  },
});
