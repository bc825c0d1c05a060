/** add_note: leaves a note on the contact. */
import { z } from "zod";
import { text } from "../../../kit/input/fields.ts";
import { readInput } from "../../../kit/input/read-input.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { noteInput } from "../../notes/note.schema.ts";
import { addNote } from "../../notes/note.service.ts";
import { quoted } from "../definition/excerpt.ts";
import { defineAction } from "../definition/node-type.ts";
import { next, templates } from "../definition/parts.schema.ts";

export const addNoteNode = defineAction({
  type: "add_note",
  scopes: () => ["contacts.write"],
  schema: z.strictObject({ type: z.literal("add_note"), body: text(limits.noteBody).describe(templates), next }),
  about: "adds a note to the contact",
  fields: ({ body }) => [{ field: "body", holds: "template", value: body }],
  summary: ({ body }) => `add note ${quoted(body)}`,
  keepsContactKnown: true,
  async perform(change, { body }, { contactId, contact, fill }) {
    await addNote(change, contactId, readInput(noteInput, { body: await fill(body) }));
    contact.update((before) => ({ ...before, last_activity_at: change.now.getTime() }));
    return "done";
  },
});
