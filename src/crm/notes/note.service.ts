/** Adds notes to contacts. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { splitAt } from "../../kit/text.ts";
import { defineInsert, insertRows } from "../../storage/inserting/insert.ts";
import { limits } from "../../vocabulary/limits.ts";
import { lockContact, raiseActivity } from "../contact-activity.ts";
import { noteAdded } from "./note.events.ts";
import { getNoteRow } from "./note.queries.ts";
import type { NoteInput } from "./note.schema.ts";
import { toNote } from "./note.view.ts";
import type { NoteView } from "./note.view.ts";

const noteInsert = defineInsert("notes", [
  "contact_id",
  "body",
  "body_rest",
  "pinned",
  "user_id",
  "created_at",
  "updated_at",
]);

/** Adds a note to a contact and raises note.added. Refuses `contact.not_found`. */
export async function addNote(
  change: Change<LocationContext>,
  contactId: number,
  { body, pinned }: NoteInput,
): Promise<NoteView> {
  const contact = await lockContact(change, contactId);
  const [shown, rest] = splitAt(body, limits.embeddedNoteBody);
  const [id] = await insertRows(change, noteInsert, [
    {
      contact_id: contactId,
      body: shown,
      body_rest: rest === "" ? null : rest,
      pinned: pinned ?? false,
      user_id: change.user?.id ?? null,
      created_at: change.now,
      updated_at: change.now,
    },
  ]);
  const view = toNote(await getNoteRow(change, id!));
  raiseActivity(change, contactId, noteAdded.of({ ...view, contact }));
  return view;
}
