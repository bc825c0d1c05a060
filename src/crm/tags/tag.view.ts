/** The response shape of a tag, alone and inside a contact. */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { textKey } from "../../kit/text-key.ts";

/** An example tag. */
export const tagSpecimen = { id: 1, name: "VIP", color: "#c0392b" };

export const tagView = z
  .object({
    id: z.int(),
    name: z.string(),
    color: z.string().nullable(),
  })
  .meta({ id: "Tag", description: "A tag of the workspace.", examples: [tagSpecimen] });

export type TagView = z.output<typeof tagView>;

/** The display order of tags, as both databases have it: by the bytes of their keys. */
export function byTagName(one: TagView, other: TagView): number {
  return Buffer.compare(Buffer.from(textKey(one.name)), Buffer.from(textKey(other.name))) || one.id - other.id;
}

export const tagListView = pageOf(tagView).meta({ id: "TagList", description: "A page of tags, by name." });

export const taggedCountView = z.object({
  contacts: z.int(),
  applied: z.int().describe("Including deleted contacts, from which it is also removed."),
});
