/** Reads notes: one alone, and those that a contact shows. */
import type { Reader } from "../../events/caller.ts";
import { jsonList } from "../../storage/json.ts";
import { limits } from "../../vocabulary/limits.ts";
import type { NoteRow } from "./note.view.ts";

const columns = {
  id: "notes.id",
  body: "notes.body",
  pinned: "notes.pinned",
  user_id: "notes.user_id",
  user_name: "users.name",
  created_at: "notes.created_at",
  updated_at: "notes.updated_at",
};

const from = "notes left join users on users.id = notes.user_id";

const oneText = `select ${Object.entries(columns)
  .map(([name, expression]) => `${expression} as ${name}`)
  .join(", ")} from ${from} where notes.id = ?`;

/** A note that is known to be there. */
export async function getNoteRow(reader: Reader, id: number): Promise<NoteRow> {
  const [row] = await reader.rows<NoteRow>(oneText, [id]);
  if (row === undefined) throw new Error(`note ${id} is gone`);
  return row;
}

/** SQL for the list of NoteRow of the row of `contacts` around it: newest first. */
export const notesOfContact = jsonList({
  members: columns,
  times: ["created_at", "updated_at"],
  from: `${from} where notes.contact_id = contacts.id`,
  order: "id desc",
  limit: limits.embeddedLimit,
});
