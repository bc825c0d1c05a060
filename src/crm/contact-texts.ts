/**
 * The text index of contacts, which a duty updates after the commit (contact-texts.follower.ts). Candidates are its rows and all contacts with
 * events that it does not contain yet; the caller judges them, so that the result is exact.
 */
import type { LocationContext, Reader } from "../events/caller.ts";
import { defineTrigramIndex } from "../storage/reading/trigram-index.ts";
import type { AnyText } from "../storage/reading/trigram-index.ts";
import { eventsOf } from "../events/following/positioned-events.ts";
import { byIndex } from "../storage/query-plans.ts";
import { sql } from "../storage/sql-text.ts";
import type { SqlText } from "../storage/sql-text.ts";

/** The most candidates of the index: judging them takes about as long as a slice of the ordered scan, which is used instead of more. */
const mostCandidates = 5000;
/** The most events that the index does not contain yet. */
const mostChanges = 2000;

/** The contacts of a location with texts longer than their keys, as `long`, by the partial index that lists the few. Binds the location. */
export const fromLongTexts = sql`from ${byIndex("contacts", "contacts_with_long_keys", "long")}
  where long.location_id = ? and long.deleted_at is null and long.long_keys is not null`;

export const contactTexts = defineTrigramIndex("contact_texts", mostCandidates);

const changed = (table: string, condition: string): SqlText => {
  const log = sql`(select event_id from ${table} where location_id = ?${condition} limit ${mostChanges + 1})`;
  return sql`select 'changed' as origin, events.contact_id as id from ${eventsOf(log)}`;
};

/** One statement, and so one moment of the database. */
const candidatesText = sql`select 'complete' as origin, null as id from contact_text_index where built_to is null
  union all select 'index' as origin, id from (${contactTexts.candidates}) as candidates
  union all ${changed("event_positions", " and position > (select position from contact_text_index)")}
  union all ${changed("unstamped_events", "")}`;

interface CandidateRow {
  readonly origin: "complete" | "index" | "changed";
  readonly id: number | null;
}

/**
 * The ids of all contacts of the location that may contain one text of each group, among others; undefined if the index is incomplete, or does
 * not help: the texts are too short or too common.
 */
export async function findCandidates(
  reader: Reader<LocationContext>,
  groups: readonly AnyText[],
): Promise<number[] | undefined> {
  const lookUp = await contactTexts.choose(reader, groups);
  if (lookUp === undefined) return undefined;
  const { id } = reader.location;
  const found = await reader.rowsOnce<CandidateRow>(candidatesText, [lookUp, id, id]);
  const { complete = [], index = [], changed: after = [] } = Object.groupBy(found, ({ origin }) => origin);
  if (complete.length === 0 || index.length > mostCandidates || after.length > mostChanges) return undefined;
  return [...new Set([...index, ...after].flatMap((row) => row.id ?? []))];
}
