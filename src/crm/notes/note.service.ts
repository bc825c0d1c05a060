/** Adds notes to contacts, updates and deletes them. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { splitAt } from "../../kit/text.ts";
import { laterOf } from "../../kit/time/clock.ts";
import { defineInsert, defineUpdate, insertRows, updateRow } from "../../storage/inserting/insert.ts";
import { limits } from "../../vocabulary/limits.ts";
import { lockContact, raiseActivity } from "../contact-activity.ts";
import { noteAdded } from "./note.events.ts";
import { findNote, requireNoteOf } from "./note.queries.ts";
import type { NoteInput, NotePatch } from "./note.schema.ts";
import { toNote } from "./note.view.ts";
import type { NoteRow, NoteView } from "./note.view.ts";

const noteInsert = defineInsert("notes", [
  "contact_id",
  "body",
  "body_rest",
  "pinned",
  "user_id",
  "created_at",
  "updated_at",
]);

const noteUpdate = defineUpdate("notes", ["body", "body_rest", "pinned", "updated_at"]);

/** Adds a note to a contact and raises note.added. Refuses `contact.not_found`. */
export async function addNote(
  change: Change<LocationContext>,
  contactId: number,
  { body, pinned }: NoteInput,
): Promise<NoteView> {
  const contact = await lockContact(change, contactId);
  const [id] = await insertRows(change, noteInsert, [
    {
      contact_id: contact.id,
      ...toBodyColumns(body),
      pinned: pinned ?? false,
      user_id: change.user?.id ?? null,
      created_at: change.now,
      updated_at: change.now,
    },
  ]);
  const now = change.now.getTime();
  const author = { user_id: change.user?.id ?? null, user_name: change.user?.name ?? null };
  const view = toNote({ id: id!, body, pinned: pinned ?? false, ...author, created_at: now, updated_at: now });
  raiseActivity(change, contact.id, noteAdded.of({ ...view, contact }));
  return view;
}

/**
 * Updates the given fields; raises no event, and a patch that changes nothing writes nothing. Refuses `contact.not_found` and
 * `note.not_found`.
 */
export async function updateNote(
  change: Change<LocationContext>,
  contactId: number,
  id: number,
  patch: NotePatch,
): Promise<NoteView> {
  const before = await lockNote(change, contactId, id);
  const body = patch.body ?? before.body;
  const pinned = patch.pinned ?? Boolean(before.pinned);
  if (body === before.body && pinned === Boolean(before.pinned)) return toNote(before);
  const updatedAt = laterOf(before.updated_at, change.now);
  updateRow(change, noteUpdate, id, { ...toBodyColumns(body), pinned, updated_at: updatedAt });
  return toNote({ ...before, body, pinned, updated_at: updatedAt.getTime() });
}

/** Deletes a note; raises no event, and note.added stays on the timeline. Refuses `contact.not_found` and `note.not_found`. */
export async function deleteNote(change: Change<LocationContext>, contactId: number, id: number): Promise<void> {
  await lockNote(change, contactId, id);
  change.send("delete from notes where id = ?", [id]);
}

/** Locks the note by its contact. Refuses `contact.not_found` and `note.not_found`. */
export async function lockNote(change: Change<LocationContext>, contactId: number, id: number): Promise<NoteRow> {
  const contact = await lockContact(change, contactId);
  return requireNoteOf(contact.id, await findNote(change, id));
}

/** The beginning of a text is kept apart from its rest (note.entity.ts). */
function toBodyColumns(text: string): { body: string; body_rest: string | null } {
  const [body, rest] = splitAt(text, limits.embeddedNoteBody);
  return { body, body_rest: rest === "" ? null : rest };
}
