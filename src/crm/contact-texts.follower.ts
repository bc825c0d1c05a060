/** How the text indexes of contacts follow the event log, each by itself. */
import { jsonTexts, listed } from "../storage/json.ts";
import type { Transaction } from "../storage/database.ts";
import { startsWith } from "../storage/reading/text-matching.ts";
import type { TextsBeside } from "../storage/reading/trigram-lines.ts";
import { sql } from "../storage/sql-text.ts";
import { eventsOf } from "../events/following/positioned-events.ts";
import type { EventName } from "../vocabulary/events.ts";
import { contactNameTexts, contactOtherTexts } from "./contact-texts.ts";
import type { ContactTextIndex } from "./contact-texts.ts";
import { textIndexIds } from "./text-index/text-index.ts";
import type { FollowedTexts } from "./text-index/text-index.ts";

/** A batch takes some ten milliseconds, in which an embedded database writes nothing else. */
const eventsAtOnce = 300;

interface FollowedEvent {
  readonly position: number;
  readonly contact_id: number | null;
  readonly event: EventName;
}

const eventsText = sql`select log.position, events.contact_id, events.event from ${eventsOf(sql`event_positions`)}
  where log.position > ? order by log.position limit ${eventsAtOnce}`;
/** In the order of its index: PostgreSQL would else expect a match early in a scan of the whole log. */
const isBehindText = "select 1 from event_positions where position > ? order by position limit 1";

/** As conversations are searched by it; usually the full name. */
const bothNames = sql`first_name_key || ' ' || last_name_key`;
const namesBeside = sql`case when ${startsWith(sql`name_key`, sql`(${bothNames})`)} then '' else ${bothNames} end`;
/** Of whatever field, in both indexes: they are few. */
const longTexts = sql`coalesce(${jsonTexts("long_keys")}, '')`;

function followContacts({ name, index }: ContactTextIndex, beside: TextsBeside): FollowedTexts {
  const putText = index.putRecords(sql`id in ${listed} and deleted_at is null`, beside);
  const followedText = `update text_indexes set position = ? where id = ${textIndexIds[name]}`;
  const beginText = `update text_indexes set position = (select last_position from event_log where id = 1) where id = ${textIndexIds[name]}`;
  const put = async (transaction: Transaction, ids: readonly number[]): Promise<void> =>
    transaction.send(putText, [JSON.stringify(ids)]);
  return {
    name,
    table: "contacts",
    index,
    isIndexed: "deleted_at is null",
    isBehind: async (rows, position) => (await rows.rows(isBehindText, [position])).length > 0,
    async follow(transaction, position) {
      const events = await transaction.rows<FollowedEvent>(eventsText, [position]);
      const last = events.at(-1);
      if (last === undefined) return;
      const idsOf = (...wanted: readonly EventName[]) => {
        const ids = events.flatMap(({ event, contact_id }) =>
          wanted.includes(event) && contact_id !== null ? contact_id : [],
        );
        return [...new Set(ids)];
      };
      await put(transaction, idsOf("contact.created", "contact.updated"));
      transaction.send(index.remove, [JSON.stringify(idsOf("contact.deleted"))]);
      transaction.send(followedText, [last.position]);
    },
    beginBuild: (transaction) => transaction.send(beginText),
    put,
    // The event log serves other followers as well.
    skip: async () => false,
  };
}

export const followedContacts: readonly FollowedTexts[] = [
  followContacts(contactNameTexts, { anywhere: longTexts, together: namesBeside }),
  followContacts(contactOtherTexts, { anywhere: longTexts }),
];
