/** Contacts by their custom values: the ids of few are found first, by an index. */
import type { LocationContext, Reader } from "../../../../events/caller.ts";
import { joinSql, sql } from "../../../../storage/sql-text.ts";
import { Invalid } from "../../../../vocabulary/errors.ts";
import { definedFields } from "../../../custom-fields/custom-values.queries.ts";
import { isCustomFilter } from "../contact.filter-fields.ts";
import type { Conditions } from "../contact.filters.sql.ts";
import { findFewest, idsOfFew, mostFoundFirst } from "./fewest-contacts.ts";
import type { ContactFilters } from "../contact.filters.ts";

/** The ids of all contacts with a value of each condition, among others; undefined if they are many, or there is no condition. */
export async function findValued(
  reader: Reader<LocationContext>,
  conditions: readonly Conditions[],
): Promise<number[] | undefined> {
  return findFewest(conditions, (condition) => findOf(reader, condition));
}

async function findOf(
  { rowsOnce }: Reader<LocationContext>,
  { texts, params }: Conditions,
): Promise<number[] | undefined> {
  const values = await rowsOnce<{ id: number }>(
    sql`select custom_values.contact_id as id from custom_values where ${joinSql(texts, " and ")} limit ${mostFoundFirst + 1}`,
    params,
  );
  return idsOfFew(values);
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
