/** The endpoints of notes. */
import { byId, endpoint, heldById, reply } from "../../http/endpoint.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { findContactReference } from "../contact-activity.ts";
import { listNotes } from "./note.queries.ts";
import { noteInput } from "./note.schema.ts";
import { addNote } from "./note.service.ts";
import { noteListView, noteView } from "./note.view.ts";

export const noteRoutes = [
  endpoint({
    method: "GET",
    path: "/contacts/{id}/notes",
    operationId: "listNotes",
    summary: "Lists the whole notes of a contact, newest first.",
    tag: "Contacts",
    scope: "contacts.readonly",
    find: { contact: byId("id", findContactReference) },
    query: pageQuery,
    replies: { 200: noteListView },
    read: async (reader, { contact, query }) => reply(200, await listNotes(reader, contact.id, query)),
  }),
  endpoint({
    method: "POST",
    path: "/contacts/{id}/notes",
    operationId: "addNote",
    summary: "Adds a note to a contact.",
    tag: "Contacts",
    scope: "contacts.write",
    find: { contact: heldById("id", findContactReference) },
    input: noteInput,
    replies: { 201: noteView },
    change: async (change, { contact, input }) => reply(201, await addNote(change, contact.id, input)),
  }),
];
