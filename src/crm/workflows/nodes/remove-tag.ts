/** remove_tag: takes a tag off the contact; without it there is nothing to do. */
import { z } from "zod";
import { Refusal } from "../../../vocabulary/errors.ts";
import { removeContactTag } from "../../contacts/contact-tags.service.ts";
import { getRecordRow } from "../../contacts/contact.queries.ts";
import { quoted } from "../definition/excerpt.ts";
import { defineAction } from "../definition/node-type.ts";
import { next, tag } from "../definition/parts.schema.ts";

const onContactText = "select 1 as found from contact_tags where contact_id = ? and tag_id = ?";

export const removeTagNode = defineAction({
  type: "remove_tag",
  scopes: () => ["contacts.write"],
  schema: z.strictObject({ type: z.literal("remove_tag"), tag, next }),
  about: "removes a tag from the contact: `tag` is a name, or an id as a number",
  fields: (node) => [{ field: "tag", holds: "tag", value: node.tag }],
  summary: (node) => `remove tag ${quoted(node.tag)}`,
  async perform(change, { tag: named }, { contactId, findTag }) {
    const found = await findTag(named);
    if (found === undefined) throw new Refusal("tag.not_found");
    const [onContact] = await change.rows(onContactText, [contactId, found.id]);
    if (onContact !== undefined) await removeContactTag(change, contactId, found, getRecordRow);
    return "done";
  },
});
