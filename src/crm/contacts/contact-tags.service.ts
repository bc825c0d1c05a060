/** Adds tags to contacts and removes them. Returns the contact afterwards, in the shape that the caller's `read` selects. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { reserveEventIds } from "../../events/record.ts";
import { readJson } from "../../storage/json.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { lockContact, raiseActivity, recordActivity } from "../contact-activity.ts";
import { findTag, findTagByName } from "../tags/tag.queries.ts";
import type { TagView } from "../tags/tag.view.ts";
import { contactTagAdded, contactTagRemoved } from "./contact.events.ts";
import { toActivityRow, withTag } from "./contact.row.ts";
import type { ActivityRow, RecordRow } from "./contact.row.ts";
import type { ContactTagInput } from "./contact.schema.ts";
import { toRecord } from "./contact.view.ts";

/** Reads the contact for the event: the full row if it is also returned to a client, or else the record only. */
type ReadRow<Row extends RecordRow> = (change: Change<LocationContext>, id: number) => Promise<Row>;

/** The contact after the change, and the new timeline entry, which `row` does not contain. */
interface TagChange<Row extends RecordRow> {
  readonly row: Row;
  readonly activity: ActivityRow;
}

/**
 * Adds a tag to a contact and raises contact.tag_added; idempotent. The tag is given by id or name; the id takes precedence. Refuses
 * `tag.not_found`, and with 422 more tags than a contact can have. Resolves to the contact afterwards; undefined if it had the tag already.
 */
export async function addContactTag<Row extends RecordRow>(
  change: Change<LocationContext>,
  contactId: number,
  input: ContactTagInput,
  read: ReadRow<Row>,
): Promise<TagChange<Row> | undefined> {
  const inserted = await insertTag(change, contactId, input);
  return inserted && recordTag(change, inserted.contactId, { tagged: contactTagAdded, tag: inserted.tag, read });
}

const addText = "insert into contact_tags (contact_id, tag_id, created_at) values (?, ?, ?)";

/**
 * The same for a locked contact that is known as it is now, and a tag that was found: it asks nothing, and what it writes is sent with later
 * statements.
 */
export function addTagToKnownContact(
  change: Change<LocationContext>,
  before: RecordRow,
  tag: TagView,
): RecordRow | undefined {
  const tags = readJson<TagView>(before.tags);
  if (tags.some(({ id }) => id === tag.id)) return undefined;
  if (tags.length >= limits.contactTags) throw tooManyTags("tag");
  const now = change.now.getTime();
  const row = { ...withTag(before, tag), last_activity_at: now };
  const { id, name, color } = tag;
  change.send(addText, [before.id, id, change.now]);
  raiseActivity(change, before.id, contactTagAdded.of({ ...toRecord(row, now), tag: { id, name, color } }));
  return row;
}

function tooManyTags(field: string): Invalid {
  return new Invalid({ [field]: [`The contact has ${limits.contactTags} tags, the most that it can have.`] });
}

/** Locks the contact. Undefined if it had the tag already. */
async function insertTag(
  change: Change<LocationContext>,
  contactId: number,
  { tag_id: tagId, name }: ContactTagInput,
): Promise<{ readonly contactId: number; readonly tag: TagView } | undefined> {
  const [contact, tag] = await Promise.all([
    lockContact(change, contactId),
    tagId === null ? findTagByName(change, name) : findTag(change, tagId),
  ]);
  if (tag === undefined) throw new Refusal("tag.not_found");
  const [added, count] = await Promise.all([
    change.rows(
      `insert into contact_tags (contact_id, tag_id, created_at) values (?, ?, ?)
       on conflict (contact_id, tag_id) do nothing returning id`,
      [contact.id, tag.id, change.now],
    ),
    countTags(change, contact.id),
  ]);
  if (added.length === 0) return undefined;
  if (count > limits.contactTags) throw tooManyTags(tagId === null ? "name" : "tag_id");
  return { contactId: contact.id, tag };
}

/** The number of tags of a locked contact: the lock prevents concurrent additions. */
async function countTags(change: Change<LocationContext>, contactId: number): Promise<number> {
  const [tags] = await change.rows<{ count: number }>(
    "select count(*) as count from contact_tags where contact_id = ?",
    [contactId],
  );
  return tags!.count;
}

/** Removes a tag from a contact and raises contact.tag_removed. Refuses `tag.not_found` if the contact does not have it. */
export async function removeContactTag<Row extends RecordRow>(
  change: Change<LocationContext>,
  contactId: number,
  tag: TagView,
  read: ReadRow<Row>,
): Promise<TagChange<Row>> {
  const contact = await lockContact(change, contactId);
  const removed = await change.rows("delete from contact_tags where contact_id = ? and tag_id = ? returning id", [
    contact.id,
    tag.id,
  ]);
  if (removed.length === 0) throw new Refusal("tag.not_found", {}, { detail: "The contact does not have this tag." });
  return recordTag(change, contact.id, { tagged: contactTagRemoved, tag, read });
}

/** The event contains the contact after the change, and the tag. */
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
