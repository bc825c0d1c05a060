/** The operations of notes. */
import { z } from "zod";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { shownRecord } from "../../operation/shown-record.ts";
import { findContactReference } from "../contact-activity.ts";
import * as queries from "./note.queries.ts";
import { noteInput, notePatch } from "./note.schema.ts";
import * as service from "./note.service.ts";
import { noteListView, noteView, toNote } from "./note.view.ts";

const noteRecord = shownRecord({
  gives: noteView,
  lock: (change, { contact, note }: { contact: number; note: number }) => service.lockNote(change, contact, note),
  read: async (reader, { contact, note }) =>
    toNote(queries.requireNoteOf(contact, await queries.findNote(reader, note))),
});

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
  record: noteRecord,
  gives: noteView,
  change: async (change, { contact, input }) => await service.addNote(change, contact.id, input),
});

export const getNote = operation({
  name: "getNote",
  summary: "Returns a note in full.",
  noun: "Contacts",
  may: { scope: "contacts.readonly", role: "member" },
  find: { contact: findContactReference, note: queries.findNote },
  record: noteRecord,
  gives: noteView,
  read: async (_reader, { contact, note }) => toNote(queries.requireNoteOf(contact.id, note)),
});

export const updateNote = operation({
  name: "updateNote",
  summary: "Updates the text of a note, or pins it.",
  noun: "Contacts",
  may: { scope: "contacts.write", role: "member" },
  find: { contact: lockedByChange(findContactReference), note: lockedByChange(queries.findNote) },
  input: notePatch,
  record: noteRecord,
  gives: noteView,
  change: async (change, { contact, note, input }) => await service.updateNote(change, contact.id, note.id, input),
});

export const deleteNote = operation({
  name: "deleteNote",
  summary: "Deletes a note.",
  noun: "Contacts",
  may: { scope: "contacts.write", role: "member" },
  find: { contact: lockedByChange(findContactReference), note: lockedByChange(queries.findNote) },
  input: z.object({}),
  record: noteRecord,
  gives: null,
  change: (change, { contact, note }) => service.deleteNote(change, contact.id, note.id),
});
