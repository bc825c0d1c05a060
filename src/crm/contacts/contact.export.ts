/** Exports contacts as CSV that an import reads back: the columns are named as the fields are. */
import type { Place, Reader } from "../../events/scope.ts";
import { toTimestamp } from "../../kit/timestamp.ts";
import { readJson } from "../../storage/json.ts";
import type { TagView } from "../tags/tag.view.ts";
import { contactsWithOwner, selectState } from "./contact.row.ts";
import type { StateRow } from "./contact.row.ts";
import { contactFields } from "./contact.schema.ts";
import type { ContactField } from "./contact.schema.ts";

const rowsAtOnce = 1000;

const page = `from ${contactsWithOwner} where contacts.location_id = ? and contacts.deleted_at is null and contacts.id > ?
  order by contacts.id limit ${rowsAtOnce}`;

const texts = { sqlite: `${selectState("sqlite")} ${page}`, postgres: `${selectState("postgres")} ${page}` };

/** The header line, then a line for each contact of the location, in the order of their ids. */
export async function* exportContacts(reader: Reader<Place>): AsyncGenerator<string> {
  yield toLine(["id", ...contactFields, "tags", "created_at", "updated_at"]);
  let last = 0;
  for (;;) {
    const rows = await reader.rows<StateRow>(texts[reader.dialect], [reader.location.id, last]);
    for (const row of rows) yield toLine(toCells(row));
    if (rows.length < rowsAtOnce) return;
    last = rows.at(-1)!.id;
  }
}

const columns = { phone: "phone_display", owner_user_id: "owner_id" } as const;

function toCells(row: StateRow): string[] {
  const valueOf = (field: ContactField): unknown =>
    field === "dnd"
      ? Boolean(row.dnd)
      : field === "phone" || field === "owner_user_id"
        ? row[columns[field]]
        : row[field];
  const tags = readJson<TagView>(row.tags).map(({ name }) => name);
  return [
    String(row.id),
    ...contactFields.map((field) => String(valueOf(field) ?? "")),
    tags.join("; "),
    toTimestamp(row.created_at),
    toTimestamp(row.updated_at),
  ];
}

/** RFC 4180: a cell with a comma, a quote or a line break is quoted. */
function toLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\n`;
}
