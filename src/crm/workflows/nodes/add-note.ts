/** add_note: leaves a note on the contact. */
import { readInput } from "../../../kit/input/read-input.ts";
import { noteInput } from "../../notes/note.schema.ts";
import { addNote as add } from "../../notes/note.service.ts";
import type { Action } from "./action.ts";

export const addNoteAction: Action<"add_note"> = async (change, node, { contactId, fill }) => {
  await add(change, contactId, readInput(noteInput, { body: await fill(node.body) }));
  return "done";
};
