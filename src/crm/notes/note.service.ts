/** Changes notes: adds one to a contact. */
import type { Change, Place } from "../../events/caller.ts";
import { splitAt } from "../../kit/text.ts";
import { User } from "../../tenancy/users/user.entity.ts";
import { limits } from "../../vocabulary/limits.ts";
import { holdContact, raiseActivity } from "../contact-activity.ts";
import { Contact } from "../contact.entity.ts";
import { noteAdded } from "./note.events.ts";
import { Note } from "./note.entity.ts";
import { getNoteRow } from "./note.queries.ts";
import type { NoteInput } from "./note.schema.ts";
import { toNote } from "./note.view.ts";
import type { NoteView } from "./note.view.ts";

/** Adds a note to a contact and raises note.added. Refuses `contact.not_found`. */
export async function addNote(
  change: Change<Place>,
  contactId: number,
  { body, pinned }: NoteInput,
): Promise<NoteView> {
  const contact = await holdContact(change, contactId);
  const [shown, rest] = splitAt(body, limits.embeddedNoteBody);
  const note = change.em.create(Note, {
    contact: change.em.getReference(Contact, contactId),
    body: shown,
    bodyRest: rest === "" ? null : rest,
    pinned: pinned ?? false,
    user: change.userId === null ? null : change.em.getReference(User, change.userId),
    createdAt: change.now,
    updatedAt: change.now,
  });
  await change.em.flush();
  const view = toNote(await getNoteRow(change, note.id));
  raiseActivity(change, contactId, noteAdded.of({ ...view, contact }));
  return view;
}
