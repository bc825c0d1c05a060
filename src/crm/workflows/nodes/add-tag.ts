/** add_tag: puts a tag on the contact; one that is on it already stays. */
import { addContactTag } from "../../contacts/contact-tags.service.ts";
import { getRecordRow } from "../../contacts/contact.queries.ts";
import type { Action } from "./action.ts";

export const addTag: Action<"add_tag"> = async (change, { tag }, { contactId }) => {
  await addContactTag(change, contactId, toTagInput(tag), getRecordRow);
  return "done";
};

/** A number is an id, and so never a name. */
function toTagInput(tag: number | string) {
  return typeof tag === "number" ? { tag_id: tag, name: null } : { tag_id: null, name: tag };
}
