/** Reads notes: one alone, a page of them, and those that a contact shows. */
import type { Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { takeTurn } from "../../kit/waiting/turns.ts";
import { jsonList } from "../../storage/json.ts";
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

const oneText = `${selectOf(columns)} from ${from} where notes.id = ?`;

/** A note that is known to be there. */
export async function getNoteRow(reader: Reader, id: number): Promise<NoteRow> {
  const [row] = await reader.rows<NoteRow>(oneText, [id]);
  if (row === undefined) throw new Error(`note ${id} is gone`);
  return row;
}

type NotePosition = [id: number];

/** A note of a page. */
interface PagedNoteRow extends NoteRow {
  /** The bytes of its body and of those before it on the page. */
  readonly bytes_so_far: number;
}

/**
 * Bytes are asked of the column, not of the text, and a body that the page does not show is not read. The first is always
 * shown, since no note is larger than a page.
 */
const pageText = `${selectOf({
  ...columns,
  body: `case when page.bytes_so_far <= ${limits.notePageBytes} then ${columns.body} end`,
  bytes_so_far: "page.bytes_so_far",
})} from
  (select id, sum(bytes) over (order by id desc) as bytes_so_far from
    (select id, octet_length(body) + coalesce(octet_length(body_rest), 0) as bytes from notes where contact_id = ? and id < ? order by id desc limit ?) as newest) as page
  join notes on notes.id = page.id left join users on users.id = notes.user_id order by page.id desc`;

/** A page of a contact's whole notes, newest first. Refuses a cursor that it did not give out. */
export function listNotes(reader: Reader, contactId: number, query: PageQuery): Promise<Page<NoteView>> {
  return page(reader.tools.cursors, query, {
    list: `notes ${contactId}`,
    async find([id]: NotePosition = [Number.MAX_SAFE_INTEGER], most) {
      const found = await reader.rows<PagedNoteRow>(pageText, [contactId, id, most]);
      await takeTurn(found.at(-1)?.bytes_so_far ?? 0);
      return found;
    },
    placeOf: ({ id }): NotePosition => [id],
    endsBefore: ({ bytes_so_far }) => bytes_so_far > limits.notePageBytes,
    show: toNote,
  });
}

const isLong = `octet_length(notes.body) > ${limits.shortText}`;

/** SQL for the list of EmbeddedNoteRow of the row of `contacts` around it: newest first, long bodies left out. */
export const notesOfContact = jsonList({
  members: { ...columns, body: `case when ${isLong} then '' else notes.body end` },
  times: ["created_at", "updated_at"],
  from: `${from} where notes.contact_id = contacts.id`,
  order: "id desc",
  limit: limits.embeddedLimit,
});

const longText = `select id, body, body_rest is not null as truncated
  from notes where contact_id = ? and id between ? and ? and ${isLong}`;

/** The beginnings of the bodies that notesOfContact leaves out, of the notes between two ids. */
export function findLongNotes(
  reader: Reader,
  contactId: number,
  oldest: number,
  newest: number,
): Promise<Pick<EmbeddedNoteRow, "id" | "body" | "truncated">[]> {
  return reader.rows(longText, [contactId, oldest, newest]);
}
