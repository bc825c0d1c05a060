/** Puts tags of the workspace on contacts and takes them off. */
import type { Change, Place } from "../../events/caller.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { holdContact, recordActivity } from "../contact-activity.ts";
import { findTag, findTagByName } from "../tags/tag.queries.ts";
import type { TagView } from "../tags/tag.view.ts";
import { holdContactState } from "./contact.queries.ts";
import type { ContactTagInput } from "./contact.schema.ts";
import { toRecord } from "./contact.view.ts";

/**
 * Puts a tag on a contact and raises contact.tag_added; a tag that is on it already changes nothing. The tag is given by
 * id or by name, and the id wins. Refuses `tag.not_found` for one that the workspace does not have, and with 422 one more
 * than a contact can have. Resolves to whether it was added.
 */
export async function addContactTag(
  change: Change<Place>,
  contactId: number,
  { tag_id: tagId, name }: ContactTagInput,
): Promise<boolean> {
  const tag = tagId === null ? await findTagByName(change, name) : await findTag(change, tagId);
  if (tag === undefined) throw new Refusal("tag.not_found");
  await holdContact(change, contactId);
  const added = await change.rows(
    `insert into contact_tags (contact_id, tag_id, created_at) values (?, ?, ?)
     on conflict (contact_id, tag_id) do nothing returning id`,
    [contactId, tag.id, change.now],
  );
  if (added.length === 0) return false;
  await refuseTooMany(change, contactId, tagId === null ? "name" : "tag_id");
  await recordTag(change, contactId, "contact.tag_added", tag);
  return true;
}

/** Refuses, on `field`, a contact that has more tags than it can have; it is held, so that nobody adds one meanwhile. */
async function refuseTooMany(change: Change<Place>, contactId: number, field: "name" | "tag_id"): Promise<void> {
  const [tags] = await change.rows<{ count: number }>(
    "select count(*) as count from contact_tags where contact_id = ?",
    [contactId],
  );
  if (tags!.count > limits.contactTags) {
    throw new Invalid({ [field]: [`The contact has ${limits.contactTags} tags, the most that it can have.`] });
  }
}

/** Takes a tag off a contact and raises contact.tag_removed. Refuses `tag.not_found` for one that is not on it. */
export async function removeContactTag(change: Change<Place>, contactId: number, tag: TagView): Promise<void> {
  await holdContact(change, contactId);
  const removed = await change.rows("delete from contact_tags where contact_id = ? and tag_id = ? returning id", [
    contactId,
    tag.id,
  ]);
  if (removed.length === 0) throw new Refusal("tag.not_found");
  await recordTag(change, contactId, "contact.tag_removed", tag);
}

/** The event carries the contact as it is now, with its tags read again, and the tag that came or went. */
async function recordTag(
  change: Change<Place>,
  contactId: number,
  event: "contact.tag_added" | "contact.tag_removed",
  { id, name, color }: TagView,
): Promise<void> {
  const { state } = await holdContactState(change, contactId);
  const data = {
    ...toRecord({ ...state, id: contactId, last_activity_at: change.now.getTime() }),
    tag: { id, name, color },
  };
  await recordActivity(change, contactId, { event, data });
}
