/** Exports all contacts of a location, as a JSON list or as CSV that can be imported again. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { inOwnedOrder, inOwnedRange, ownedBy } from "../../../storage/reading/owned-range.ts";
import { sql } from "../../../storage/sql-text.ts";
import { contactsWithJoins, selectRecord } from "../contact.row.ts";
import type { RecordRow } from "../contact.row.ts";
import { contactFieldNames } from "../contact.fields.ts";
import { toRecord } from "../contact.view.ts";
import type { ContactRecordView } from "../contact.view.ts";
import { escapeFormula } from "../../../kit/csv/csv-formulas.ts";
import { toCsvLine } from "../../../kit/csv/csv-line.ts";
import { writeCustomCell } from "../../custom-fields/custom-cell.ts";
import { customHeader } from "./csv-custom-fields.ts";
import { writeList } from "../../../kit/csv/csv-list.ts";

const rowsAtOnce = 1000;

const places = { owner: "contacts.location_id", place: "contacts.id" };
const text = sql`${selectRecord} from ${ownedBy(contactsWithJoins)}
  where ${inOwnedRange(places, { ">": "?" })} and contacts.deleted_at is null order by ${inOwnedOrder(places)} limit ${rowsAtOnce}`;

/** A page of an export. `next_after`: the id after which the next page starts; null on the last page. */
export interface ExportPage {
  readonly data: ContactRecordView[];
  readonly next_after: number | null;
}

/** The contacts of the location by id, without their lists: those after the id `after`. */
export async function readExportPage(reader: Reader<LocationContext>, after: number): Promise<ExportPage> {
  const now = reader.tools.clock.now().getTime();
  const rows = await reader.rows<RecordRow>(text, [reader.location.id, after]);
  return {
    data: rows.map((row) => toRecord(row, now)),
    next_after: rows.length < rowsAtOnce ? null : rows.at(-1)!.id,
  };
}

/** Every contact, page after page. */
export async function* pagesOfExport(
  load: (after: number | undefined) => Promise<ExportPage>,
): AsyncGenerator<ContactRecordView> {
  for (let after: number | null | undefined; after !== null;) {
    const { data, next_after }: ExportPage = await load(after);
    yield* data;
    after = next_after;
  }
}

/** Every contact, for code whose caller has been authorized already. */
export function exportContacts(reader: Reader<LocationContext>): AsyncGenerator<ContactRecordView> {
  return pagesOfExport((after = 0) => readExportPage(reader, after));
}

/** The columns of the CSV file, by field name. */
export const exportedColumns = ["id", ...contactFieldNames, "tags", "created_at", "updated_at"] as const;

type Cell = string | number | boolean | null;

/** The cells of a contact, by column, with formulas escaped. */
export function toCells(contact: ContactRecordView): Record<(typeof exportedColumns)[number], Cell> {
  const fields = { ...contact, phone: contact.phone_display, owner_user_id: contact.owner?.id ?? null };
  const texts = { ...fields, tags: writeList(contact.tags.map(({ name }) => name)) };
  const cells = [...contactFieldNames, "tags" as const].map((name): [string, Cell] => {
    const value = texts[name];
    return [name, typeof value === "string" ? escapeFormula(value) : value];
  });
  const { id, created_at, updated_at } = contact;
  return { ...Object.fromEntries(cells), id, created_at, updated_at } as ReturnType<typeof toCells>;
}

/** A header line and a line per contact, with formulas escaped. Custom fields are those of the first contact: each contact has all of them. */
export async function* toCsv(contacts: AsyncIterable<ContactRecordView>): AsyncGenerator<string> {
  let keys: readonly string[] | undefined;
  for await (const contact of contacts) {
    if (keys === undefined) {
      keys = Object.keys(contact.custom_fields ?? {});
      yield toCsvLine([...exportedColumns, ...keys.map(customHeader)]);
    }
    const cells = toCells(contact);
    const custom = keys.map((key) => writeCustomCell(contact.custom_fields?.[key] ?? null));
    yield toCsvLine([...exportedColumns.map((column) => cells[column]), ...custom]);
  }
  if (keys === undefined) yield toCsvLine(exportedColumns);
}

/** A JSON list with one contact per line, streamed. */
export async function* contactsAsJson(contacts: AsyncIterable<ContactRecordView>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const contact of contacts) {
    yield `${before}  ${JSON.stringify(contact)}`;
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}
