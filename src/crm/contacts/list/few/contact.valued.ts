/** Contacts by their custom values: the ids of few are found first, by an index. */
import type { LocationContext, Reader } from "../../../../events/caller.ts";
import { joinSql, sql } from "../../../../storage/sql-text.ts";
import type { Conditions } from "../contact.filters.sql.ts";
import { findFewest, idsOfFew, mostFoundFirst } from "./fewest-contacts.ts";

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
