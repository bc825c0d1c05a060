/** remove_tag: takes a tag off the contact; one that is not on it need not be taken off. */
import { removeContactTag } from "../../contacts/contact-tags.service.ts";
import { getRecordRow } from "../../contacts/contact.queries.ts";
import { findTag, findTagByName } from "../../tags/tag.queries.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import type { Action } from "./action.ts";

const onContactText = "select 1 as found from contact_tags where contact_id = ? and tag_id = ?";

export const removeTag: Action<"remove_tag"> = async (change, { tag: named }, { contactId }) => {
  const tag = typeof named === "number" ? await findTag(change, named) : await findTagByName(change, named);
  if (tag === undefined) throw new Refusal("tag.not_found");
  const [found] = await change.rows(onContactText, [contactId, tag.id]);
  if (found !== undefined) await removeContactTag(change, contactId, tag, getRecordRow);
  return "done";
};
