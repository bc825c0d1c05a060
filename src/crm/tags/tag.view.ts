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

/** The display order of tags. */
export function byTagName(one: TagView, other: TagView): number {
  const [first, second] = [textKey(one.name), textKey(other.name)];
  return first < second ? -1 : first > second ? 1 : one.id - other.id;
}

export const tagListView = pageOf(tagView).meta({ id: "TagList", description: "A page of tags, by name." });

export const taggedCountView = z.object({
  contacts: z.int(),
  applied: z.int().describe("Including deleted contacts, from which it is also removed."),
});
