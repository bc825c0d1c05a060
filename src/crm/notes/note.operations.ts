/** The operations of notes. */
import { lockedByChange, operation } from "../../operation/operation.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { findContactReference } from "../contact-activity.ts";
import * as queries from "./note.queries.ts";
import { noteInput } from "./note.schema.ts";
import * as service from "./note.service.ts";
import { noteListView, noteView } from "./note.view.ts";

export const listNotes = operation({
  name: "listNotes",
  summary: "Lists the notes of a contact in full, newest first.",
  noun: "Contacts",
  may: { scope: "contacts.readonly", role: "member" },
  find: { contact: findContactReference },
  query: pageQuery,
  gives: noteListView,
  read: async (reader, { contact, query }) => await queries.listNotes(reader, contact.id, query),
});

export const addNote = operation({
  name: "addNote",
  summary: "Adds a note to a contact.",
  noun: "Contacts",
  may: { scope: "contacts.write", role: "member" },
  find: { contact: lockedByChange(findContactReference) },
  input: noteInput,
  gives: noteView,
  change: async (change, { contact, input }) => await service.addNote(change, contact.id, input),
});
