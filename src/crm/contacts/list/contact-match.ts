/** Whether one contact is among those that filters pick: what a list asks of all contacts, asked of one. */
import type { Place, Reader } from "../../../events/caller.ts";
import { joinSql, sql } from "../../../storage/sql-text.ts";
import { contactColumns } from "./contact.filter-fields.ts";
import { compileFilters } from "./contact.filters.sql.ts";
import type { ContactFilters } from "./contact.filters.ts";

/** One statement. A contact that is deleted or of another location matches nothing, not even no filters. */
export async function matchesContact(reader: Reader<Place>, id: number, filters: ContactFilters): Promise<boolean> {
  const { texts, params } = compileFilters(filters, contactColumns(reader.location));
  const alive = sql`contacts.id = ? and contacts.location_id = ? and contacts.deleted_at is null`;
  const found = await reader.rowsOnce(
    sql`select contacts.id from contacts where ${joinSql([alive, ...texts], " and ")}`,
    [id, reader.location.id, ...params],
  );
  return found.length > 0;
}
