/** Puts tags of the workspace on contacts and takes them off; gives the contact as it is then, as far as the caller has it read. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { reserveEventIds } from "../../events/record.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { holdContact, recordActivity } from "../contact-activity.ts";
import { findTag, findTagByName } from "../tags/tag.queries.ts";
import type { TagView } from "../tags/tag.view.ts";
import { contactTagAdded, contactTagRemoved } from "./contact.events.ts";
import { toActivityRow } from "./contact.row.ts";
import type { ActivityRow, RecordRow } from "./contact.row.ts";
import type { ContactTagInput } from "./contact.schema.ts";
import { toRecord } from "./contact.view.ts";

/** Reads the contact for the event: the full row where a surface goes on to show it, else the record alone. */
type ReadRow<Row extends RecordRow> = (change: Change<LocationContext>, id: number) => Promise<Row>;

/** The contact with the tag added or removed, and the entry on its timeline, which `row` does not have yet. */
interface TagChange<Row extends RecordRow> {
  readonly row: Row;
  readonly activity: ActivityRow;
}

/**
 * Puts a tag on a contact and raises contact.tag_added; a tag that is on it already changes nothing. The tag is given by
 * id or by name, and the id wins. Refuses `tag.not_found` for one that the workspace does not have, and with 422 one more
 * than a contact can have. Resolves to the contact as it is then; undefined where the tag was on it already.
 */
export async function addContactTag<Row extends RecordRow>(
  change: Change<LocationContext>,
  contactId: number,
  { tag_id: tagId, name }: ContactTagInput,
  read: ReadRow<Row>,
): Promise<TagChange<Row> | undefined> {
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
  return recordTag(change, contactId, { tagged: contactTagAdded, tag, read });
}

/** How many tags a contact has that is held, so that nobody adds one meanwhile. */
async function countTags(change: Change<LocationContext>, contactId: number): Promise<number> {
  const [tags] = await change.rows<{ count: number }>(
    "select count(*) as count from contact_tags where contact_id = ?",
    [contactId],
  );
  return tags!.count;
}

/** Takes a tag off a contact and raises contact.tag_removed. Refuses `tag.not_found` for one that is not on it. */
export async function removeContactTag<Row extends RecordRow>(
  change: Change<LocationContext>,
  contactId: number,
  tag: TagView,
  read: ReadRow<Row>,
): Promise<TagChange<Row>> {
  await holdContact(change, contactId);
  const removed = await change.rows("delete from contact_tags where contact_id = ? and tag_id = ? returning id", [
    contactId,
    tag.id,
  ]);
  if (removed.length === 0) throw new Refusal("tag.not_found", {}, { detail: "This tag is not on the contact." });
  return recordTag(change, contactId, { tagged: contactTagRemoved, tag, read });
}

/** The event carries the contact as it is now, with its tags read again, and the tag that came or went. */
async function recordTag<Row extends RecordRow>(
  change: Change<LocationContext>,
  contactId: number,
  {
    tagged,
    tag: { id, name, color },
    read,
  }: { readonly tagged: typeof contactTagAdded; readonly tag: TagView; readonly read: ReadRow<Row> },
): Promise<TagChange<Row>> {
  reserveEventIds(change, 1);
  const row = { ...(await read(change, contactId)), last_activity_at: change.now.getTime() };
  const event = tagged.of({ ...toRecord(row, change.now.getTime()), tag: { id, name, color } });
  const eventId = await recordActivity(change, contactId, event);
  return { row, activity: toActivityRow(change, eventId, event) };
}
