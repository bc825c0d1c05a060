/** The endpoint of notes. */
import { byId, endpoint, reply } from "../../http/endpoint.ts";
import { findContactReference } from "../contact-activity.ts";
import { noteInput } from "./note.schema.ts";
import { addNote } from "./note.service.ts";
import { noteView } from "./note.view.ts";

export const noteRoutes = [
  endpoint({
    method: "POST",
    path: "/contacts/{id}/notes",
    operationId: "addNote",
    summary: "Adds a note to a contact.",
    tag: "Contacts",
    scope: "contacts.write",
    find: { contact: byId("id", findContactReference) },
    input: noteInput,
    replies: { 201: noteView },
    change: async (change, { contact, input }) => reply(201, await addNote(change, contact.id, input)),
  }),
];
