/** The text index of contacts, which follows the event log (contact-texts.follower.ts). */
import type { LocationContext, Reader } from "../events/caller.ts";
import { defineTrigramIndex } from "../storage/reading/trigram-index.ts";
import type { AnyText } from "../storage/reading/trigram-index.ts";
import { eventsOf } from "../events/following/positioned-events.ts";
import { byIndex } from "../storage/query-plans.ts";
import { sql } from "../storage/sql-text.ts";
import type { SqlText } from "../storage/sql-text.ts";
import {
  candidatesText,
  findCandidatesBy,
  mostCandidates,
  mostChanges,
  textIndexIds,
} from "./text-index/text-index.ts";

/** The contacts of a location with texts longer than their keys, as `long`, by the partial index that lists the few. Binds the location. */
export const fromLongTexts = sql`from ${byIndex("contacts", "contacts_with_long_keys", "long")}
  where long.location_id = ? and long.deleted_at is null and long.long_keys is not null`;

export const contactTexts = defineTrigramIndex("contact_texts", mostCandidates);

const changed = (table: string, condition: string): SqlText => {
  const log = sql`(select event_id from ${table} where location_id = ?${condition} limit ${mostChanges + 1})`;
  return sql`select events.contact_id as id from ${eventsOf(log)}`;
};

const text = candidatesText({ table: "contacts", index: contactTexts }, [
  changed("event_positions", ` and position > (select position from text_indexes where id = ${textIndexIds.contacts})`),
  changed("unstamped_events", ""),
]);

/**
 * The ids of all contacts of the location that may contain one text of each group, among others; undefined if the index is incomplete, or does
 * not help: the texts are too short or too common.
 */
export function findCandidates(
  reader: Reader<LocationContext>,
  groups: readonly AnyText[],
): Promise<number[] | undefined> {
  const { id } = reader.location;
  return findCandidatesBy(reader, { index: contactTexts, text, params: [id, id] }, groups);
}
