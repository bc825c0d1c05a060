/** Contacts by their custom values: the ids of few are found first, by an index. */
import type { LocationContext, Reader } from "../../../../events/caller.ts";
import { joinSql, sql } from "../../../../storage/sql-text.ts";
import { Invalid } from "../../../../vocabulary/errors.ts";
import { definedFields } from "../../../custom-fields/custom-values.queries.ts";
import { isCustomFilter } from "../contact.filter-fields.ts";
import type { Conditions } from "../contact.filters.sql.ts";
import type { ContactFilters } from "../contact.filters.ts";

/** The most values that are read: reading more takes longer than a slice of the ordered scan. */
const mostValues = 5000;

/** The ids of all contacts with a value of each condition, among others; undefined if they are many, or there is no condition. */
export async function findValued(
  reader: Reader<LocationContext>,
  conditions: readonly Conditions[],
): Promise<number[] | undefined> {
  const found = await Promise.all(conditions.map((condition) => findOf(reader, condition)));
  return found.filter((ids) => ids !== undefined).toSorted((one, other) => one.length - other.length)[0];
}

async function findOf(
  { rowsOnce }: Reader<LocationContext>,
  { texts, params }: Conditions,
): Promise<number[] | undefined> {
  const values = await rowsOnce<{ id: number }>(
    sql`select custom_values.contact_id as id from custom_values where ${joinSql(texts, " and ")} limit ${mostValues + 1}`,
    params,
  );
  return values.length > mostValues ? undefined : [...new Set(values.map(({ id }) => id))];
}

/** Refuses, on `filters`, custom fields that the workspace has not defined. No statement without conditions on any. */
export async function requireCustomFields(reader: Reader, filters: ContactFilters): Promise<void> {
  const fields = filters.flat().flatMap(({ field }) => (isCustomFilter(field) ? [field] : []));
  if (fields.length === 0) return;
  const known = (await definedFields(reader)).map(({ key }) => `custom.${key}`);
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown === undefined) return;
  const there = known.length === 0 ? "the workspace has defined no custom fields" : `there are ${known.join(", ")}`;
  throw new Invalid({ filters: [`The filters field names the custom field ${unknown}; ${there}.`] });
}
