/** Contacts by their tags: the tags are found first, so that a rename needs no update of an index. */
import type { LocationContext, Reader } from "../../../../events/caller.ts";
import { lookUpEach } from "../../../../storage/reading/lateral.ts";
import { joinSql, sql } from "../../../../storage/sql-text.ts";
import type { Conditions } from "../contact.filters.sql.ts";
import { findFewest, idsOfFew, mostFoundFirst } from "./fewest-contacts.ts";

const mostTags = 1000;

const contactsText = sql`${lookUpEach({
  columns: "contact_id as id",
  from: "contact_tags",
  column: "contact_tags.tag_id",
  most: mostFoundFirst + 1,
})} limit ${mostFoundFirst + 1}`;

/** The ids of all contacts with a tag of each condition, among others; undefined if they are many, or there is no condition. */
export async function findTagged(
  reader: Reader<LocationContext>,
  conditions: readonly Conditions[],
): Promise<number[] | undefined> {
  return findFewest(conditions, (condition) => findOf(reader, condition));
}

async function findOf(
  { rows, rowsOnce, workspaceId }: Reader<LocationContext>,
  { texts, params }: Conditions,
): Promise<number[] | undefined> {
  const tags = await rowsOnce<{ id: number }>(
    sql`select tags.id from tags where tags.workspace_id = ? and ${joinSql(texts, " and ")} limit ${mostTags + 1}`,
    [workspaceId, ...params],
  );
  if (tags.length > mostTags) return undefined;
  const contacts = await rows<{ id: number }>(contactsText, [JSON.stringify(tags.map(({ id }) => id))]);
  return idsOfFew(contacts);
}
