/** Reads the tags of a workspace: one by id or by name, and the list in the order of their folded names. */
import type { Reader } from "../../events/caller.ts";
import { fold } from "../../kit/text.ts";
import { limits } from "../../vocabulary/limits.ts";
import type { TagView } from "./tag.view.ts";

const byIdText = "select id, name, color from tags where id = ? and workspace_id = ?";
const byNameText = "select id, name, color from tags where workspace_id = ? and name_key = ?";
const pageText = `
  select id, name, name_key, color from tags
  where workspace_id = ? and (name_key, id) > (?, ?) order by name_key, id limit ${limits.pageSize + 1}`;

export async function findTag(reader: Reader, id: number): Promise<TagView | undefined> {
  const [tag] = await reader.rows<TagView>(byIdText, [id, reader.workspaceId]);
  return tag;
}

/** Names match folded: neither case nor spacing matters. */
export async function findTagByName(reader: Reader, name: string): Promise<TagView | undefined> {
  const [tag] = await reader.rows<TagView>(byNameText, [reader.workspaceId, fold(name)]);
  return tag;
}

export type TagPosition = readonly [nameKey: string, id: number];

/** Where the list begins: no name is folded to nothing. */
export const firstTag: TagPosition = ["", 0];

export interface TagPage {
  readonly data: TagView[];
  /** The place of the last tag, when there are more. */
  readonly next: TagPosition | null;
}

/** The page of tags that follows `after`. */
export async function listTags(reader: Reader, after: TagPosition): Promise<TagPage> {
  const found = await reader.rows<TagView & { name_key: string }>(pageText, [reader.workspaceId, ...after]);
  const page = found.slice(0, limits.pageSize);
  const last = page.at(-1);
  return {
    data: page.map(({ id, name, color }) => ({ id, name, color })),
    next: found.length > page.length && last !== undefined ? [last.name_key, last.id] : null,
  };
}
