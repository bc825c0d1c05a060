/** Finds the events about the person that belong to no contact, and empties the payloads of all. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { eventsOf, logPlaces } from "../../../events/following/positioned-events.ts";
import { packPayload, unpackPayload } from "../../../events/payloads/stored-payload.ts";
import type { StoredPayload } from "../../../events/payloads/stored-payload.ts";
import { listed } from "../../../storage/json.ts";
import { jsonKeys } from "../../../storage/json-rows.ts";
import { inOwnedOrder, inOwnedRange, ownedBy } from "../../../storage/reading/owned-range.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import type { EventName } from "../../../vocabulary/events.ts";
import { toEventStub } from "../event-stub.ts";
import { findMentions } from "../mentions.ts";
import { namesPerson } from "../names-person.ts";
import { afterIds } from "./erasure-step.ts";
import type { ErasureScope, ErasureStep } from "./erasure-step.ts";

/** Events of one piece. */
const mostEmptied = 300;
const mostScanned = 1000;

interface ErasedEventRow {
  readonly id: number;
  readonly event: EventName;
  readonly data: StoredPayload | null;
}

/**
 * Events of conversations, and those of no contact: of an unknown sender, or of a contact that was deleted. The changes of the latter are shown
 * by no timeline.
 */
const scanned = (log: SqlText) => sql`select log.place, events.id, events.event, events.data,
    events.contact_id is null and events.data is null and events.changes is not null as is_unseen,
    events.contact_id is null or events.event like 'message.%' or events.event like 'conversation.%' as is_open
  from ${eventsOf(sql`(${log})`)} order by log.place`;
const places = logPlaces("location_id");
const logText = scanned(
  sql`select position as place, event_id from ${ownedBy("event_positions")}
    where ${inOwnedRange(places, { ">": "?" })} order by ${inOwnedOrder(places)} limit ${mostScanned}`,
);
const unstampedText = scanned(
  sql`select event_id as place, event_id from unstamped_events where location_id = ? and event_id > ? order by event_id limit ${mostScanned}`,
);

interface ScannedRow extends ErasedEventRow {
  readonly place: number;
  readonly is_unseen: boolean | number;
  readonly is_open: boolean | number;
}

const linkText = sql`update events set contact_id = ? where id in ${listed}`;
const hideText = sql`update events set changes = null where id in ${listed}`;

/** Those without a position first: one that gets it meanwhile is in the log, which is read afterwards. */
export const eventLinkStep: ErasureStep = {
  name: "event links",
  async piece(change, scope) {
    const isStamped = scope.place === 1;
    const rows = await change.rows<ScannedRow>(isStamped ? logText : unstampedText, [
      change.location.id,
      scope.reached,
    ]);
    const unseen = rows.filter((row) => Boolean(row.is_unseen)).map(({ id }) => id);
    const named = await findNaming(change, scope, rows);
    if (unseen.length > 0) change.send(hideText, [JSON.stringify(unseen)]);
    if (named.length > 0) change.send(linkText, [scope.contactId, JSON.stringify(named)]);
    if (rows.length === mostScanned) return { next: { place: scope.place, reached: rows.at(-1)!.place } };
    return { next: isStamped ? null : { place: 1, reached: 0 } };
  },
};

async function findNaming(
  change: Change<LocationContext>,
  scope: ErasureScope,
  rows: readonly ScannedRow[],
): Promise<number[]> {
  const read = rows.flatMap(({ id, event, data, is_open }) =>
    data === null || !is_open
      ? []
      : {
          id,
          mentions: findMentions(
            JSON.parse(unpackPayload(data)),
            event.startsWith("conversation.") ? "conversations" : event.startsWith("contact.") ? "contacts" : undefined,
          ),
        },
  );
  const isNaming = await namesPerson(change, scope, read);
  return read.filter(({ mentions }) => isNaming(mentions)).map(({ id }) => id);
}

const nextText = `select id, event, data from events where contact_id = ? and id > ? order by id limit ${mostEmptied}`;
/** The name of a contact that acted itself, such as the sender of a message, goes too. */
const emptyText = sql`update events set data = given.data, changes = null,
    actor_name = case when actor_type = 'contact' then null else actor_name end
  from ${jsonKeys({ id: "integer", data: "text" })} as given where events.id = given.id`;

export const eventStep: ErasureStep = {
  name: "events",
  async piece(change, scope) {
    const rows = await change.rows<ErasedEventRow>(nextText, [scope.contactIds[scope.place]!, scope.reached]);
    const stubs = rows.map(({ id, event, data }) => ({
      id,
      data: data === null ? null : packPayload(toEventStub(event, unpackPayload(data))),
    }));
    if (stubs.length > 0) change.send(emptyText, [JSON.stringify(stubs)]);
    const ids = rows.map(({ id }) => id);
    return { next: afterIds(scope, ids, mostEmptied), removed: { events: ids.length } };
  },
};
