/** The newest conversations, opportunities and tasks of contacts that a search found, in the order of these contacts. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { listedAsGiven } from "../../storage/json.ts";
import { firstOfEach } from "../../storage/reading/lateral.ts";
import { mostOfContact } from "./search-limits.ts";

export interface RecordOfContact {
  readonly id: number;
  readonly contactId: number;
}

/** `time`: the column that orders the records of a contact; the newest are first. An index covers the order. */
function newestOfEach(table: string, time: string) {
  return firstOfEach({
    given: listedAsGiven,
    table,
    columns: [...new Set(["id", "contact_id", time])],
    computed: { time: `found.${time}` },
    where: `${table}.contact_id = given.value`,
    order: time === "id" ? `${table}.id desc` : `${table}.${time} desc, ${table}.id desc`,
    limit: mostOfContact,
  });
}

export type RecordKind = "conversations" | "opportunities" | "tasks";

const newestOfContacts = {
  conversations: newestOfEach("conversations", "last_message_at"),
  opportunities: newestOfEach("opportunities", "id"),
  tasks: newestOfEach("tasks", "id"),
};

interface RecordRowOfContact {
  readonly id: number;
  readonly contact_id: number;
  readonly time: number;
}

/** At most `mostOfContact` records of each contact. */
export async function findOfContacts(
  reader: Reader<LocationContext>,
  kind: RecordKind,
  contactIds: readonly number[],
): Promise<RecordOfContact[]> {
  if (contactIds.length === 0) return [];
  const rows = await reader.rows<RecordRowOfContact>(newestOfContacts[kind], [JSON.stringify(contactIds)]);
  const placeOf = new Map(contactIds.map((id, place) => [id, place]));
  return rows
    .toSorted(
      (one, other) =>
        placeOf.get(one.contact_id)! - placeOf.get(other.contact_id)! || other.time - one.time || other.id - one.id,
    )
    .map(({ id, contact_id }) => ({ id, contactId: contact_id }));
}
