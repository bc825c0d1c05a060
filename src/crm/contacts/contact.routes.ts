/** The endpoints of contacts; the only file of the folder that knows HTTP. */
import { z } from "zod";
import { byId, endpoint, heldById, reply } from "../../http/endpoint.ts";
import { findContactReference } from "../contact-activity.ts";
import { findTag } from "../tags/tag.queries.ts";
import { addContactTag, removeContactTag } from "./contact-tags.service.ts";
import { findContact, getContact, showContact } from "./contact.queries.ts";
import {
  bulkContactsInput,
  contactListQuery,
  contactTagInput,
  createContactInput,
  updateContactInput,
  upsertContactInput,
} from "./contact.schema.ts";
import {
  bulkUpsertContacts,
  createContact,
  deleteContact,
  updateContact,
  upsertContact,
  withoutRefused,
} from "./contact.service.ts";
import { bulkContactsView, contactListView, contactView, upsertContactView } from "./contact.view.ts";
import { listContacts } from "./list/contact.list.ts";
import { insertedWithContact } from "./write/contact.write.ts";

export const contactRoutes = [
  endpoint({
    method: "GET",
    path: "/contacts",
    operationId: "listContacts",
    summary: "Lists contacts, newest activity first.",
    tag: "Contacts",
    scope: "contacts.readonly",
    query: contactListQuery,
    replies: { 200: contactListView },
    read: async (reader, { query }) => reply(200, await listContacts(reader, query)),
  }),
  endpoint({
    method: "POST",
    path: "/contacts",
    operationId: "createContact",
    summary: "Creates a contact.",
    tag: "Contacts",
    scope: "contacts.write",
    input: createContactInput,
    inserts: insertedWithContact,
    replies: { 201: contactView },
    change: async (change, { input }) => reply(201, await createContact(change, input)),
  }),
  endpoint({
    method: "POST",
    path: "/contacts/upsert",
    operationId: "upsertContact",
    summary: "Changes the contact that has the email or the phone, or creates one.",
    tag: "Contacts",
    scope: "contacts.write",
    input: upsertContactInput,
    replies: { 200: upsertContactView, 201: upsertContactView },
    change: async (change, { input }) => {
      const { upserted, isUnchanged } = await upsertContact(change, input);
      return reply(upserted.created ? 201 : 200, upserted, { isUnchanged });
    },
  }),
  endpoint({
    method: "POST",
    path: "/contacts/bulk",
    operationId: "bulkUpsertContacts",
    summary: "Upserts up to 200 contacts; each is answered in its place.",
    tag: "Contacts",
    scope: "contacts.write",
    input: bulkContactsInput,
    replies: { 200: bulkContactsView },
    // A few dozen share a commit as other changes do.
    size: ({ input }) => (input.contacts.length > 50 ? "large" : undefined),
    change: async (change, { input }) => reply(200, await bulkUpsertContacts(change, input.contacts)),
    mend: async (caller, { input }) => ({ contacts: await withoutRefused(caller, input.contacts) }),
  }),
  endpoint({
    method: "GET",
    path: "/contacts/{id}",
    operationId: "getContact",
    summary: "Shows a contact with what hangs on it.",
    tag: "Contacts",
    scope: "contacts.readonly",
    find: { contact: byId("id", findContact) },
    replies: { 200: contactView },
    read: async (_reader, { contact }) => reply(200, contact),
  }),
  endpoint({
    method: "PATCH",
    path: "/contacts/{id}",
    operationId: "updateContact",
    summary: "Changes the given fields of a contact.",
    tag: "Contacts",
    scope: "contacts.write",
    find: { contact: heldById("id", findContactReference) },
    input: updateContactInput,
    replies: { 200: contactView },
    change: async (change, { contact, input }) => reply(200, await updateContact(change, contact.id, input)),
  }),
  endpoint({
    method: "DELETE",
    path: "/contacts/{id}",
    operationId: "deleteContact",
    summary: "Deletes a contact; nothing shows it any more, and its external_ref stays taken.",
    tag: "Contacts",
    scope: "contacts.write",
    find: { contact: heldById("id", findContactReference) },
    input: z.object({}),
    replies: { 204: null },
    change: async (change, { contact }) => {
      await deleteContact(change, contact.id);
      return reply(204, null);
    },
  }),
  endpoint({
    method: "POST",
    path: "/contacts/{id}/tags",
    operationId: "addContactTag",
    summary: "Puts a tag of the workspace on a contact.",
    tag: "Contacts",
    scope: "contacts.write",
    find: { contact: heldById("id", findContactReference) },
    input: contactTagInput,
    replies: { 200: contactView },
    change: async (change, { contact, input }) => {
      const tagged = await addContactTag(change, contact.id, input);
      return tagged === undefined
        ? reply(200, await getContact(change, contact.id), { isUnchanged: true })
        : reply(200, await showContact(change, tagged));
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/contacts/{id}/tags/{tagId}",
    operationId: "removeContactTag",
    summary: "Takes a tag off a contact.",
    tag: "Contacts",
    scope: "contacts.write",
    find: { contact: heldById("id", findContactReference), tag: byId("tagId", findTag) },
    input: z.object({}),
    replies: { 200: contactView },
    change: async (change, { contact, tag }) =>
      reply(200, await showContact(change, await removeContactTag(change, contact.id, tag))),
  }),
];
