/** Exports contacts: every one of a location, as the API shows it or as CSV that an import reads back. */
import type { Place, Reader } from "../../events/scope.ts";
import { contactsWithOwner, selectState } from "./contact.row.ts";
import type { StateRow } from "./contact.row.ts";
import { contactFields } from "./contact.schema.ts";
import { toRecord } from "./contact.view.ts";
import type { ContactRecordView } from "./contact.view.ts";

const rowsAtOnce = 1000;

const page = `from ${contactsWithOwner} where contacts.location_id = ? and contacts.deleted_at is null and contacts.id > ?
  order by contacts.id limit ${rowsAtOnce}`;

const texts = { sqlite: `${selectState("sqlite")} ${page}`, postgres: `${selectState("postgres")} ${page}` };

/** The contacts of the location in the order of their ids, without what hangs on them. */
export async function* exportContacts(reader: Reader<Place>): AsyncGenerator<ContactRecordView> {
  for (let last = 0; ;) {
    const rows = await reader.rows<StateRow>(texts[reader.dialect], [reader.location.id, last]);
    for (const row of rows) yield toRecord(row);
    if (rows.length < rowsAtOnce) return;
    last = rows.at(-1)!.id;
  }
}

/** A header line, in which columns are named as the fields are, and a line for each contact. */
export async function* toCsv(contacts: AsyncIterable<ContactRecordView>): AsyncGenerator<string> {
  yield toLine(["id", ...contactFields, "tags", "created_at", "updated_at"]);
  for await (const contact of contacts) {
    const fields = { ...contact, phone: contact.phone_display, owner_user_id: contact.owner?.id ?? null };
    const tags = contact.tags.map(({ name }) => name).join("; ");
    yield toLine([
      contact.id,
      ...contactFields.map((field) => fields[field]),
      tags,
      contact.created_at,
      contact.updated_at,
    ]);
  }
}

/** RFC 4180: a cell with a comma, a quote or a line break is quoted. */
function toLine(values: readonly (string | number | boolean | null)[]): string {
  const cells = values.map((value) => String(value ?? ""));
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\n`;
}
