/** Tests whether given contacts match filters. */
import type { LocationContext } from "../../../events/caller.ts";
import { listed } from "../../../storage/json.ts";
import type { Rows } from "../../../storage/rows.ts";
import { joinSql, sql } from "../../../storage/sql-text.ts";
import { contactColumns } from "./contact.filter-fields.ts";
import { compileFilters } from "./contact.filters.sql.ts";
import type { Condition, ContactFilters } from "./contact.filters.ts";

interface InLocation extends Rows {
  readonly location: LocationContext;
}

/** One statement. A contact that is deleted or of another location never matches, even without filters. */
export async function matchesContact(reader: InLocation, id: number, filters: ContactFilters): Promise<boolean> {
  return (await findMatching(reader, [id], filters)).has(id);
}

/** The same for several contacts, also in one statement. */
export async function findMatching(
  reader: InLocation,
  ids: readonly number[],
  filters: ContactFilters,
): Promise<Set<number>> {
  const { texts, params } = compileFilters(filters, contactColumns(reader.location));
  const notDeleted = sql`contacts.id in ${listed} and contacts.location_id = ? and contacts.deleted_at is null`;
  const found = await reader.rowsOnce<{ id: number }>(
    sql`select contacts.id from contacts where ${joinSql([notDeleted, ...texts], " and ")}`,
    [JSON.stringify(ids), reader.location.id, ...params],
  );
  return new Set(found.map(({ id }) => id));
}

/** Whether each of these conditions holds for a contact, in one statement. A contact that is deleted or of another location meets none. */
export async function judgeConditions(
  reader: InLocation,
  id: number,
  conditions: readonly Condition[],
): Promise<boolean[]> {
  if (conditions.length === 0) return [];
  const { texts, params } = compileFilters(
    conditions.map((condition) => [condition]),
    contactColumns(reader.location),
  );
  const columns = texts.map((text, place) => sql`case when ${text} then 1 else 0 end as holds_${String(place)}`);
  const [judged] = await reader.rowsOnce<Record<string, number>>(
    sql`select ${joinSql(columns, ", ")} from contacts
      where contacts.id = ? and contacts.location_id = ? and contacts.deleted_at is null`,
    [...params, id, reader.location.id],
  );
  return conditions.map((_condition, place) => Number(judged?.[`holds_${place}`] ?? 0) === 1);
}
