/** Exports contacts: every one of a location, as a JSON list or as CSV that an import reads back. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { sql } from "../../../storage/sql-text.ts";
import { contactsWithNeighbours, selectRecord } from "../contact.row.ts";
import type { RecordRow } from "../contact.row.ts";
import { contactFieldNames } from "../contact.fields.ts";
import { toRecord } from "../contact.view.ts";
import type { ContactRecordView } from "../contact.view.ts";
import { withMark } from "./csv-formulas.ts";
import { toCsvLine } from "./csv-line.ts";
import { writeTags } from "./csv-tags.ts";

const rowsAtOnce = 1000;

const text = sql`${selectRecord} from ${contactsWithNeighbours} where contacts.location_id = ? and contacts.deleted_at is null and contacts.id > ?
  order by contacts.id limit ${rowsAtOnce}`;

/** The contacts of the location in the order of their ids, without what hangs on them. */
export async function* exportContacts(reader: Reader<LocationContext>): AsyncGenerator<ContactRecordView> {
  const now = reader.tools.clock.now().getTime();
  for (let last = 0; ;) {
    const rows = await reader.rows<RecordRow>(text, [reader.location.id, last]);
    for (const row of rows) yield toRecord(row, now);
    if (rows.length < rowsAtOnce) return;
    last = rows.at(-1)!.id;
  }
}

/** The columns of a CSV file, named as the fields are. */
export const exportedColumns = ["id", ...contactFieldNames, "tags", "created_at", "updated_at"] as const;

type Cell = string | number | boolean | null;

/** The cells of a contact by their columns. None is a formula. */
export function toCells(contact: ContactRecordView): Record<(typeof exportedColumns)[number], Cell> {
  const fields = { ...contact, phone: contact.phone_display, owner_user_id: contact.owner?.id ?? null };
  const texts = { ...fields, tags: writeTags(contact.tags.map(({ name }) => name)) };
  const cells = [...contactFieldNames, "tags" as const].map((name): [string, Cell] => {
    const value = texts[name];
    return [name, typeof value === "string" ? withMark(value) : value];
  });
  const { id, created_at, updated_at } = contact;
  return { ...Object.fromEntries(cells), id, created_at, updated_at } as ReturnType<typeof toCells>;
}

/** A header line, in which columns are named as the fields are, and a line for each contact, in which no cell is a formula. */
export async function* toCsv(contacts: AsyncIterable<ContactRecordView>): AsyncGenerator<string> {
  yield toCsvLine(exportedColumns);
  for await (const contact of contacts) {
    const cells = toCells(contact);
    yield toCsvLine(exportedColumns.map((column) => cells[column]));
  }
}

/** One JSON list, a contact on each line. Written as it is read: no list is too long. */
export async function* contactsAsJson(contacts: AsyncIterable<ContactRecordView>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const contact of contacts) {
    yield `${before}  ${JSON.stringify(contact)}`;
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}
