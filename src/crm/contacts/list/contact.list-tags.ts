/**
 * The tags of a page of contacts. Contacts share tags, so each tag is read once. A contact may have a hundred long ones, so a page ends
 * early, before its tags exceed the response size.
 */
import type { Reader } from "../../../events/caller.ts";
import { charactersOfRow } from "../../../kit/page.ts";
import { listed } from "../../../storage/json.ts";
import { sql } from "../../../storage/sql-text.ts";
import { limits } from "../../../vocabulary/limits.ts";
import type { TagView } from "../../tags/tag.view.ts";
import type { ListedRow } from "../contact.row.ts";

/** A row with its tags; `tags` is undefined for rows after the early end of the page. */
export interface TaggedRow {
  readonly row: ListedRow;
  readonly tags: TagView[] | undefined;
  /** The characters of its texts and of all rows before. */
  readonly characters_so_far: number;
}

interface Tag {
  readonly view: TagView;
  /** The index in the order of folded names. */
  readonly index: number;
}

const text = sql`select id, name, color from tags where id in ${listed} order by name_key, id`;

/** Adds the tags to the rows. */
export async function withTags(reader: Reader, rows: readonly ListedRow[]): Promise<TaggedRow[]> {
  const idsOfRows = rows.map(({ tag_ids }) => (tag_ids === null ? [] : tag_ids.split(",").map(Number)));
  const ids = new Set<number>();
  let most = 0;
  for (const idsOfRow of idsOfRows) {
    for (const id of idsOfRow) ids.add(id);
    if (ids.size > limits.pageTags && most > 0) break;
    most += 1;
  }
  const tags = new Map<number, Tag>();
  if (ids.size > 0) {
    const found = await reader.rows<TagView>(text, [JSON.stringify([...ids])]);
    found.forEach((view, index) => tags.set(view.id, { view, index }));
  }
  let characters = 0;
  let charactersOfRows = 0;
  return rows.map((row, index): TaggedRow => {
    const shown = idsOfRows[index]!.flatMap((id) => tags.get(id) ?? []);
    for (const { view } of shown) characters += view.name.length;
    charactersOfRows += charactersOfRow(row);
    const isBeyond = index > 0 && (index >= most || characters > limits.pageTagNames);
    return {
      row,
      tags: isBeyond ? undefined : shown.toSorted((one, other) => one.index - other.index).map(({ view }) => view),
      characters_so_far: characters + charactersOfRows,
    };
  });
}
