/** Reads the tags of a workspace: one by id or by name, and the list in the order of their folded names. */
import type { Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { textKey } from "../../kit/text-key.ts";
import { placeholders } from "../../storage/rows.ts";
import type { TagView } from "./tag.view.ts";

const byIdText = "select id, name, color from tags where id = ? and workspace_id = ?";
const byNameText = "select id, name, color from tags where workspace_id = ? and name_key = ?";
const pageText = `
  select id, name, name_key, color from tags
  where workspace_id = ? and (name_key, id) > (?, ?) order by name_key, id limit ?`;

export async function findTag(reader: Reader, id: number): Promise<TagView | undefined> {
  const [tag] = await reader.rows<TagView>(byIdText, [id, reader.workspaceId]);
  return tag;
}

/** Names match folded: neither case nor spacing matters. */
export async function findTagByName(reader: Reader, name: string): Promise<TagView | undefined> {
  const [tag] = await reader.rows<TagView>(byNameText, [reader.workspaceId, textKey(name)]);
  return tag;
}

/** Names in one statement, so that the number of parameters stays below both databases' limits. */
const namesAtOnce = 1000;

/** The tags of the workspace whose names have these keys (src/kit/text-key.ts), by them. */
export async function findTagsByKeys(reader: Reader, keys: readonly string[]): Promise<Map<string, TagView>> {
  const tags = new Map<string, TagView>();
  for (let start = 0; start < keys.length; start += namesAtOnce) {
    const part = keys.slice(start, start + namesAtOnce);
    const found = await reader.rowsOnce<TagView & { name_key: string }>(
      `select id, name, color, name_key from tags where workspace_id = ? and name_key in (${placeholders(part.length)})`,
      [reader.workspaceId, ...part],
    );
    for (const { name_key, ...tag } of found) tags.set(name_key, tag);
  }
  return tags;
}

const countText = `select count(*) as applied, coalesce(sum(case when contacts.deleted_at is null then 1 else 0 end), 0) as contacts
  from contact_tags join contacts on contacts.id = contact_tags.contact_id where contact_tags.tag_id = ?`;

/** How many contacts have the tag; `applied` counts those as well that are deleted. */
export async function countTagged(reader: Reader, id: number): Promise<{ contacts: number; applied: number }> {
  const [{ contacts, applied }] = (await reader.rows<{ contacts: number; applied: number }>(countText, [id])) as [
    { contacts: number; applied: number },
  ];
  return { contacts: Number(contacts), applied };
}

type TagPosition = [nameKey: string, id: number];

/** A page of the tags of the workspace, in the order of their folded names. Refuses a cursor that it did not give out. */
export function listTags(reader: Reader, query: PageQuery): Promise<Page<TagView>> {
  return page(reader.tools.cursors, query, {
    list: `tags ${reader.workspaceId}`,
    // No name is folded to nothing.
    find: ([nameKey, id]: TagPosition = ["", 0], most) =>
      reader.rows<TagView & { name_key: string }>(pageText, [reader.workspaceId, nameKey, id, most]),
    placeOf: ({ name_key, id }): TagPosition => [name_key, id],
    show: ({ id, name, color }) => ({ id, name, color }),
  });
}
