/** add_tag: puts a tag on the contact; one that is on it already stays. */
import { z } from "zod";
import { Refusal } from "../../../vocabulary/errors.ts";
import { lockContact } from "../../contact-activity.ts";
import { addTagToKnownContact } from "../../contacts/contact-tags.service.ts";
import { quoted } from "../definition/excerpt.ts";
import { defineAction } from "../definition/node-type.ts";
import { next, tag } from "../definition/parts.schema.ts";

export const addTagNode = defineAction({
  type: "add_tag",
  scopes: () => ["contacts.write"],
  schema: z.strictObject({ type: z.literal("add_tag"), tag, next }),
  about: "adds a tag to the contact: `tag` is a name, or an id as a number",
  fields: (node) => [{ field: "tag", holds: "tag", value: node.tag }],
  summary: (node) => `add tag ${quoted(node.tag)}`,
  keepsContactKnown: true,
  async perform(change, node, { contactId, contact, findTag }) {
    await lockContact(change, contactId);
    const [tag, before] = await Promise.all([findTag(node.tag), contact.read()]);
    if (tag === undefined) throw new Refusal("tag.not_found");
    const tagged = addTagToKnownContact(change, before, tag);
    if (tagged !== undefined) contact.update(() => tagged);
    return "done";
  },
});
