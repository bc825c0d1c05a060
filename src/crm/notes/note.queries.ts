/** Reads notes: a single one, a page, and those embedded in a contact. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { jsonList } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import { fitsIn, weighedPage } from "../../storage/reading/weighed-page.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { toNote } from "./note.view.ts";
import type { EmbeddedNoteRow, NoteRow, NoteView } from "./note.view.ts";

const columns = {
  id: "notes.id",
  body: "notes.body || coalesce(notes.body_rest, '')",
  pinned: "notes.pinned",
  user_id: "notes.user_id",
  user_name: "users.name",
  created_at: "notes.created_at",
  updated_at: "notes.updated_at",
};

const from = "notes left join users on users.id = notes.user_id";

function selectOf(expressions: Readonly<Record<string, string>>): string {
  const named = Object.entries(expressions).map(([name, expression]) => `${expression} as ${name}`);
  return `select ${named.join(", ")}`;
}

const ofLocationText = `${selectOf({ ...columns, contact_id: "notes.contact_id" })}
  from ${from} join contacts on contacts.id = notes.contact_id
  where notes.id = ? and contacts.location_id = ? and contacts.deleted_at is null`;

interface NoteOfContactRow extends NoteRow {
  readonly contact_id: number;
}

/** The note of the location with this id. */
export async function findNote(reader: Reader<LocationContext>, id: number): Promise<NoteOfContactRow | undefined> {
  const [row] = await reader.rows<NoteOfContactRow>(ofLocationText, [id, reader.location.id]);
  return row;
}

/** Refuses a missing note, and that of another contact, as `note.not_found`. */
export function requireNoteOf(contactId: number, note: NoteOfContactRow | undefined): NoteRow {
  if (note?.contact_id !== contactId) throw new Refusal("note.not_found");
  return note;
}

type NotePosition = [id: number];

/** A page always fits at least one note. */
const pageText = sql`${selectOf({
  ...columns,
  body: `case when ${fitsIn(limits.notePageBytes)} then ${columns.body} end`,
  bytes_so_far: "page.bytes_so_far",
})} from ${weighedPage({
  table: "notes",
  bytes: "octet_length(body) + coalesce(octet_length(body_rest), 0)",
  where: "contact_id = ? and id < ?",
  direction: "desc",
})} join notes on notes.id = page.id left join users on users.id = notes.user_id order by page.id desc`;

/** A page of a contact's notes, in full, newest first. Refuses a cursor of another list. */
export function listNotes(reader: Reader, contactId: number, query: PageQuery): Promise<Page<NoteView>> {
  return page(reader.tools.cursors, query, {
    list: `notes ${contactId}`,
    find: ([id]: NotePosition = [Number.MAX_SAFE_INTEGER], most) =>
      reader.rows<NoteRow>(pageText, [contactId, id, most]),
    placeOf: ({ id }): NotePosition => [id],
    mostBytes: limits.notePageBytes,
    show: toNote,
  });
}

const isLong = `octet_length(notes.body) > ${limits.shortText}`;

/** A correlated subquery on `contacts`: the list of EmbeddedNoteRow, newest first, without long bodies. */
export const notesOfContact = jsonList({
  members: { ...columns, body: `case when ${isLong} then '' else notes.body end` },
  times: ["created_at", "updated_at"],
  from: `${from} where notes.contact_id = contacts.id`,
  order: "id desc",
  limit: limits.embeddedLimit,
});

const longText = `select id, body, body_rest is not null as truncated
  from notes where contact_id = ? and id between ? and ? and ${isLong}`;

/** The truncated bodies that notesOfContact omits, for the notes between two ids. */
export function findLongNotes(
  reader: Reader,
  contactId: number,
  oldest: number,
  newest: number,
): Promise<Pick<EmbeddedNoteRow, "id" | "body" | "truncated">[]> {
  return reader.rows(longText, [contactId, oldest, newest]);
}
