/** What every neighbour of contacts does to one: look it up, hold it while its timeline grows, and write an event on that. */
import { z } from "zod";
import type { ActiveContactId, EventRecord } from "../events/event-record.ts";
import type { Change, LocationContext, Reader } from "../events/caller.ts";
import { withScope } from "../operation/redaction.ts";
import { listed } from "../storage/json.ts";
import { untilCommit } from "../storage/locks.ts";
import { placeholders } from "../storage/rows.ts";
import { sql } from "../storage/sql-text.ts";
import { Refusal } from "../vocabulary/errors.ts";
import type { Reference } from "./references.ts";

/** A contact as conversations, and events about its neighbours, show it. */
export const contactReference = z.object({
  id: z.int(),
  name: z.string(),
  phone_display: withScope("contacts.readonly", null, z.string().nullable()),
  email: withScope("contacts.readonly", null, z.string().nullable()),
});

/** A contact's reference as it could be, for the examples of events. */
export const contactReferenceSpecimen = {
  id: 1,
  name: "Ada Lovelace",
  phone_display: "(415) 555-2671",
  email: "ada@example.com",
};

export type ContactReference = z.output<typeof contactReference>;

/** The columns of a ContactReference. */
export const selectReference = "select id, name, phone_display, email";

const select = `${selectReference} from contacts where id = ? and location_id = ? and deleted_at is null`;

const severalText = sql`${selectReference} from contacts
  where id in ${listed} and location_id = ? and deleted_at is null`;

const holdText = sql`${select}${untilCommit("contacts")}`;

/** The living contact of the location with this id. */
export async function findContactReference(
  reader: Reader<LocationContext>,
  id: number,
): Promise<ContactReference | undefined> {
  const [contact] = await reader.rows<ContactReference>(select, [id, reader.location.id]);
  return contact;
}

/** The same of several, by their ids; those that are deleted or of another location are left out. */
export async function findContactReferences(
  reader: Reader<LocationContext>,
  ids: readonly number[],
): Promise<Map<number, ContactReference>> {
  if (ids.length === 0) return new Map();
  const contacts = await reader.rows<ContactReference>(severalText, [JSON.stringify(ids), reader.location.id]);
  return new Map(contacts.map((contact) => [contact.id, contact]));
}

/** For bodies that name a contact. */
export const livingContact: Reference<ContactReference> = {
  find: findContactReference,
  predicate: "must name a contact of the location.",
};

/** The same, for a change that goes on to write what hangs on it: holds the contact, and so comes first of all references. */
export const heldContact: Reference<ContactReference, Change<LocationContext>> = {
  ...livingContact,
  find: holdIfLiving,
};

/**
 * The contact, which nobody else changes until the commit. Every change of what hangs on a contact begins here, so that
 * two of them never wait for each other. Refuses `contact.not_found`, also when it was deleted a moment ago.
 */
export async function holdContact(change: Change<LocationContext>, id: number): Promise<ContactReference> {
  const contact = await holdIfLiving(change, id);
  if (contact === undefined) throw new Refusal("contact.not_found");
  return contact;
}

/** The same for what outlives its contact: undefined where that is deleted, and nobody is held. */
export async function holdIfLiving(change: Change<LocationContext>, id: number): Promise<ContactReference | undefined> {
  const [contact] = await change.rows<ContactReference>(holdText, [id, change.location.id]);
  return contact;
}

/** Holds those of the contacts that are not deleted, in the order in which every change holds several, and gives their ids. */
export async function holdContacts(change: Change<LocationContext>, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const held = await change.rowsOnce<{ id: number }>(
    sql`select id from contacts where id in (${placeholders(ids.length)}) and location_id = ? and deleted_at is null
      order by id${untilCommit("contacts")}`,
    [...ids, change.location.id],
  );
  return held.map(({ id }) => id);
}

/** What a neighbour says of its contact in columns of the contact's row, where lists read and filter it: as statements. */
export interface KeptOnContact {
  readonly alone: string;
  readonly withActivity: string;
}

/** `select` gives the columns for the row of `contacts` around it. */
export function keptOnContact(columns: readonly string[], select: string): KeptOnContact {
  const kept = `(${columns.join(", ")}) = (${select})`;
  return {
    alone: `update contacts set ${kept} where id = ?`,
    withActivity: `update contacts set last_activity_at = ?, ${kept} where id = ?`,
  };
}

const touchText = "update contacts set last_activity_at = ? where id = ?";

/**
 * Writes an event on the timeline of a contact that is held, which moves its `last_activity_at`, and what the neighbour keeps on it in the
 * same statement; resolves to the event's id.
 */
export async function recordActivity(
  change: Change<LocationContext>,
  contactId: number,
  record: Activity,
  kept?: KeptOnContact,
): Promise<number> {
  touch(change, contactId, kept);
  const [id] = await change.record({ ...record, contactId: asActive(contactId) });
  return id!;
}

/** The same where nobody needs the event's id. */
export function raiseActivity(
  change: Change<LocationContext>,
  contactId: number,
  record: Activity,
  kept?: KeptOnContact,
): void {
  touch(change, contactId, kept);
  change.raise({ ...record, contactId: asActive(contactId) });
}

type Activity = Omit<EventRecord, "contactId">;

function touch(change: Change<LocationContext>, contactId: number, kept: KeptOnContact | undefined): void {
  change.send(kept?.withActivity ?? touchText, [change.now, contactId]);
}

/** What happened to somebody; null where it is not known to whom. */
export interface ContactActivity {
  readonly contactId: number | null;
  readonly record: EventRecord;
}

/** The same for events of several contacts, all of them held, in two statements, where nobody needs the ids of the events. */
export function raiseActivities(change: Change<LocationContext>, activities: readonly ContactActivity[]): void {
  const ids = [...new Set(activities.map(({ contactId }) => contactId))].filter((id) => id !== null);
  if (ids.length > 0) {
    change.sendOnce(`update contacts set last_activity_at = ? where id in (${placeholders(ids.length)})`, [
      change.now,
      ...ids,
    ]);
  }
  change.raise(
    ...activities.map(({ contactId, record }) =>
      contactId === null ? record : { ...record, contactId: asActive(contactId) },
    ),
  );
}

/** For whoever writes the contact's own row in this change, and `last_activity_at` with it. */
export function asActive(contactId: number): ActiveContactId {
  return contactId as ActiveContactId;
}
