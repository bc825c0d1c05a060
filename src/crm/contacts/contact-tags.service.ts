/** Puts tags of the workspace on contacts and takes them off; gives the contact as it is then, for whoever shows it. */
import type { Change, Place } from "../../events/caller.ts";
import { reserveEventIds } from "../../events/record.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { holdContact, recordActivity } from "../contact-activity.ts";
import { findTag, findTagByName } from "../tags/tag.queries.ts";
import type { TagView } from "../tags/tag.view.ts";
import { contactTagAdded, contactTagRemoved } from "./contact.events.ts";
import { getContactRow } from "./contact.queries.ts";
import { toActivityRow, withActivity } from "./contact.row.ts";
import type { FullRow } from "./contact.row.ts";
import type { ContactTagInput } from "./contact.schema.ts";
import { toRecord } from "./contact.view.ts";

/**
 * Puts a tag on a contact and raises contact.tag_added; a tag that is on it already changes nothing. The tag is given by
 * id or by name, and the id wins. Refuses `tag.not_found` for one that the workspace does not have, and with 422 one more
 * than a contact can have. Resolves to the contact as it is then; undefined where the tag was on it already.
 */
export async function addContactTag(
  change: Change<Place>,
  contactId: number,
  { tag_id: tagId, name }: ContactTagInput,
): Promise<FullRow | undefined> {
  const [, tag] = await Promise.all([
    holdContact(change, contactId),
    tagId === null ? findTagByName(change, name) : findTag(change, tagId),
  ]);
  if (tag === undefined) throw new Refusal("tag.not_found");
  const [added, count] = await Promise.all([
    change.rows(
      `insert into contact_tags (contact_id, tag_id, created_at) values (?, ?, ?)
       on conflict (contact_id, tag_id) do nothing returning id`,
      [contactId, tag.id, change.now],
    ),
    countTags(change, contactId),
  ]);
  if (added.length === 0) return undefined;
  if (count > limits.contactTags) {
    throw new Invalid({
      [tagId === null ? "name" : "tag_id"]: [`The contact has ${limits.contactTags} tags, the most that it can have.`],
    });
  }
  return recordTag(change, contactId, contactTagAdded, tag);
}

/** How many tags a contact has that is held, so that nobody adds one meanwhile. */
async function countTags(change: Change<Place>, contactId: number): Promise<number> {
  const [tags] = await change.rows<{ count: number }>(
    "select count(*) as count from contact_tags where contact_id = ?",
    [contactId],
  );
  return tags!.count;
}

/** Takes a tag off a contact and raises contact.tag_removed. Refuses `tag.not_found` for one that is not on it. */
export async function removeContactTag(change: Change<Place>, contactId: number, tag: TagView): Promise<FullRow> {
  await holdContact(change, contactId);
  const removed = await change.rows("delete from contact_tags where contact_id = ? and tag_id = ? returning id", [
    contactId,
    tag.id,
  ]);
  if (removed.length === 0) throw new Refusal("tag.not_found", {}, { detail: "This tag is not on the contact." });
  return recordTag(change, contactId, contactTagRemoved, tag);
}

/** The event carries the contact as it is now, with its tags read again, and the tag that came or went. */
async function recordTag(
  change: Change<Place>,
  contactId: number,
  tagged: typeof contactTagAdded,
  { id, name, color }: TagView,
): Promise<FullRow> {
  reserveEventIds(change, 1);
  const row = { ...(await getContactRow(change, contactId)), last_activity_at: change.now.getTime() };
  const event = tagged.of({ ...toRecord(row, change.now.getTime()), tag: { id, name, color } });
  const eventId = await recordActivity(change, contactId, event);
  return withActivity(row, toActivityRow(change, eventId, event));
}
