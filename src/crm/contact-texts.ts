/** The text index of contacts, which follows the event log (contact-texts.follower.ts). */
import type { LocationContext, Reader } from "../events/caller.ts";
import { defineTrigramIndex } from "../storage/reading/trigram-index.ts";
import type { AnyText, TrigramLookUp } from "../storage/reading/trigram-index.ts";
import { eventsOf } from "../events/following/positioned-events.ts";
import { byIndex } from "../storage/query-plans.ts";
import { sql } from "../storage/sql-text.ts";
import type { SqlText } from "../storage/sql-text.ts";
import {
  candidatesText,
  findCandidatesBy,
  memoryOf,
  mostCandidates,
  mostChanges,
  textIndexIds,
} from "./text-index/text-index.ts";
import type { CandidateRow } from "./text-index/text-index.ts";

/** The contacts of a location with texts longer than their keys, as `long`, by the partial index that lists the few. Binds the location. */
export const fromLongTexts = sql`from ${byIndex("contacts", "contacts_with_long_keys", "long")}
  where long.location_id = ? and long.deleted_at is null and long.long_keys is not null`;

export const contactTexts = defineTrigramIndex("contact_texts", mostCandidates);

const changed = (table: string, condition: string): SqlText => {
  const log = sql`(select event_id from ${table} where location_id = ?${condition} limit ${mostChanges + 1})`;
  return sql`select events.contact_id as id from ${eventsOf(log)}`;
};

const changedSince = [
  changed("event_positions", ` and position > (select position from text_indexes where id = ${textIndexIds.contacts})`),
  changed("unstamped_events", ""),
];
const text = candidatesText({ table: "contacts", index: contactTexts }, changedSince);
const changedText = candidatesText({ table: "contacts" }, changedSince);

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

/** What the index knows of texts that any number of contacts may contain. */
export interface IndexedTexts {
  readonly lookUp: TrigramLookUp;
  /** The contacts that changed since the index was updated, which it may lack or give wrongly. */
  readonly changed: readonly number[];
}

/** The same without candidates, however common the texts are. */
export async function findIndexed(
  reader: Reader<LocationContext>,
  groups: readonly AnyText[],
): Promise<IndexedTexts | undefined> {
  const { id } = reader.location;
  const lookUp = await contactTexts.choose(reader, groups, {
    most: Number.POSITIVE_INFINITY,
    memory: memoryOf(reader),
  });
  if (lookUp === undefined) return undefined;
  const found = await reader.rows<CandidateRow>(changedText, [id, id]);
  const { complete = [], changed = [] } = Object.groupBy(found, ({ origin }) => origin);
  if (complete.length === 0 || changed.length > mostChanges) return undefined;
  return { lookUp, changed: [...new Set(changed.flatMap((row) => row.id ?? []))] };
}
