/** Reads the tags of a workspace: one by id or name, and the list by folded name. */
import type { Reader } from "../../events/caller.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { textKey } from "../../kit/text-key.ts";
import { createSliceQueue, walkSlices } from "../../storage/keyset/slices.ts";
import { withRowOf } from "../../storage/reading/lateral.ts";
import { placeholders } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import type { TagView } from "./tag.view.ts";

const byIdText = "select id, name, color from tags where id = ? and workspace_id = ?";
const byNameText = "select id, name, color from tags where workspace_id = ? and name_key = ?";
const pageText = `
  select id, name, name_key, color from tags
  where workspace_id = ? and (name_key, id) > (?, ?) order by name_key, id limit ?`;
const pageOfContactText = `
  select tags.id, tags.name, tags.name_key, tags.color from contact_tags join tags on tags.id = contact_tags.tag_id
  where contact_tags.contact_id = ? and (tags.name_key, tags.id) > (?, ?) order by tags.name_key, tags.id limit ?`;

export async function findTag(reader: Reader, id: number): Promise<TagView | undefined> {
  const [tag] = await reader.rows<TagView>(byIdText, [id, reader.workspaceId]);
  return tag;
}

/** Matches by folded name: case and spacing do not matter. */
export async function findTagByName(reader: Reader, name: string): Promise<TagView | undefined> {
  const [tag] = await reader.rows<TagView>(byNameText, [reader.workspaceId, textKey(name)]);
  return tag;
}

/** By its id, which is a number, or its name. */
export function findNamedTag(reader: Reader, named: number | string): Promise<TagView | undefined> {
  return typeof named === "number" ? findTag(reader, named) : findTagByName(reader, named);
}

/** Names per statement, below the parameter limits of both databases. */
const namesPerStatement = 1000;

/** The tags of the workspace with these name keys (src/kit/text-key.ts), by key. */
export async function findTagsByKeys(reader: Reader, keys: readonly string[]): Promise<Map<string, TagView>> {
  const tags = new Map<string, TagView>();
  for (let start = 0; start < keys.length; start += namesPerStatement) {
    const part = keys.slice(start, start + namesPerStatement);
    const found = await reader.rowsOnce<TagView & { name_key: string }>(
      `select id, name, color, name_key from tags where workspace_id = ? and name_key in (${placeholders(part.length)})`,
      [reader.workspaceId, ...part],
    );
    for (const { name_key, ...tag } of found) tags.set(name_key, tag);
  }
  return tags;
}

/** Contacts of one slice: some two milliseconds. */
const contactsOfSlice = 1000;

const countText = sql`select count(*) as applied, max(slice.contact_id) as reached,
    coalesce(sum(case when contacts.deleted_at is null then 1 else 0 end), 0) as contacts
  from ${withRowOf({
    given: sql`(select contact_id from contact_tags where tag_id = ? and contact_id > ? order by contact_id limit ${contactsOfSlice}) as slice`,
    table: "contacts",
    key: "slice.contact_id",
  })}`;

const inSliceQueue = createSliceQueue();

/** Counts the contacts with the tag; `applied` includes deleted contacts. */
export async function countTagged(reader: Reader, id: number): Promise<{ contacts: number; applied: number }> {
  let [contacts, applied] = [0, 0];
  await walkSlices({ queue: inSliceQueue, holder: queueKeyOf(reader) }, 0, async (after) => {
    const [slice] = await reader.rows<{ contacts: number; applied: number; reached: number | null }>(countText, [
      id,
      after,
    ]);
    contacts += Number(slice!.contacts);
    applied += Number(slice!.applied);
    return Number(slice!.applied) < contactsOfSlice ? undefined : slice!.reached!;
  });
  return { contacts, applied };
}

type TagPosition = [nameKey: string, id: number];

/** A page of the tags of the workspace, by folded name. Refuses a cursor of another list. */
export function listTags(reader: Reader, query: PageQuery): Promise<Page<TagView>> {
  return pageOfTags(reader, query, { list: `tags ${reader.workspaceId}`, text: pageText, owner: reader.workspaceId });
}

/** The same of the tags of a contact. */
export function listTagsOfContact(reader: Reader, contactId: number, query: PageQuery): Promise<Page<TagView>> {
  return pageOfTags(reader, query, { list: `tags of contact ${contactId}`, text: pageOfContactText, owner: contactId });
}

interface TagList {
  readonly list: string;
  readonly text: string;
  /** The first parameter of the text. */
  readonly owner: number;
}

function pageOfTags(reader: Reader, query: PageQuery, { list, text, owner }: TagList): Promise<Page<TagView>> {
  return page(reader.tools.cursors, query, {
    list,
    // A folded name is never empty.
    find: ([nameKey, id]: TagPosition = ["", 0], most) =>
      reader.rows<TagView & { name_key: string }>(text, [owner, nameKey, id, most]),
    placeOf: ({ name_key, id }): TagPosition => [name_key, id],
    show: ({ id, name, color }) => ({ id, name, color }),
  });
}
