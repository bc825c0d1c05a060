/** Looks up, locks and updates the contact of a note, task, opportunity, conversation or run, and writes events on its timeline. */
import { z } from "zod";
import type { ActiveContactId, EventRecord } from "../events/event-record.ts";
import type { Change, LocationContext, Reader } from "../events/caller.ts";
import { withScope } from "../operation/redaction.ts";
import { listed } from "../storage/json.ts";
import { forUpdate } from "../storage/locks.ts";
import { placeholders } from "../storage/rows.ts";
import { sql } from "../storage/sql-text.ts";
import { Refusal } from "../vocabulary/errors.ts";
import { findOrSurvivor, requireUnmerged, survivorIn } from "./contact-redirects.ts";
import type { Reference } from "./references.ts";

/** A contact as conversations show it, and events of the records that belong to it. */
export const contactReference = z.object({
  id: z.int(),
  name: z.string(),
  phone_display: withScope("contacts.readonly", null, z.string().nullable()),
  email: withScope("contacts.readonly", null, z.string().nullable()),
});

/** An example reference, for the examples of events. */
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

const lockText = sql`${select}${forUpdate("contacts")}`;

/** The contact of the location with this id, or the one that it was merged into, unless it is deleted. */
export function findContactReference(
  reader: Reader<LocationContext>,
  id: number,
): Promise<ContactReference | undefined> {
  return findOrSurvivor(reader, id, async (one) => {
    const [contact] = await reader.rows<ContactReference>(select, [one, reader.location.id]);
    return contact;
  });
}

/** The same for several ids, by id; without deleted contacts and those of other locations. */
export async function findContactReferences(
  reader: Reader<LocationContext>,
  ids: readonly number[],
): Promise<Map<number, ContactReference>> {
  if (ids.length === 0) return new Map();
  const contacts = await reader.rows<ContactReference>(severalText, [JSON.stringify(ids), reader.location.id]);
  return new Map(contacts.map((contact) => [contact.id, contact]));
}

/** For `contact_id` in request bodies. */
export const contactOfLocation: Reference<ContactReference> = {
  find: findContactReference,
  predicate: "must name a contact of the location.",
};

/** The same with a row lock, for changes that write a record of the contact. Must be the first reference (lock order). */
export const lockedContactOfLocation: Reference<ContactReference, Change<LocationContext>> = {
  ...contactOfLocation,
  find: lockIfNotDeleted,
};

/**
 * Locks the contact until the commit. Every change of a record that belongs to a contact starts with this lock, so that two of them never
 * deadlock. Refuses `contact.not_found`, also if the contact was deleted concurrently.
 */
export async function lockContact(change: Change<LocationContext>, id: number): Promise<ContactReference> {
  const contact = await lockIfNotDeleted(change, id);
  if (contact === undefined) throw new Refusal("contact.not_found");
  return contact;
}

/** The contacts that a change has locked and knows, by id. */
const held = new WeakMap<Change<LocationContext>, Map<number, ContactReference>>();

/** For a change whose transaction has locked the contact: the functions below take it as given, without a query. */
export function holdContact(change: Change<LocationContext>, contact: ContactReference): void {
  held.set(change, (held.get(change) ?? new Map<number, ContactReference>()).set(contact.id, contact));
}

/** To be called by what changes a contact's name, phone number or e-mail address, and by what deletes it. */
export function releaseContact(change: Change<LocationContext>, id: number): void {
  held.get(change)?.delete(id);
}

/**
 * The same for records that outlive their contact: undefined, and no lock, if the contact is deleted. For the id of a merged contact it locks
 * and returns the one that remains.
 */
export async function lockIfNotDeleted(
  change: Change<LocationContext>,
  id: number,
): Promise<ContactReference | undefined> {
  const known = survivorIn(change, id);
  const taken = held.get(change)?.get(known);
  if (taken !== undefined) return taken;
  const [contact] = await change.rows<ContactReference>(lockText, [known, change.location.id]);
  if (contact === undefined) await requireUnmerged(change, [known]);
  return contact;
}

const lockSeveralText = sql`${severalText} order by id${forUpdate("contacts")}`;

/**
 * Locks the contacts that are not deleted, in the order of their ids (the lock order of all changes). Resolves to their references by the ids
 * given; those of merged contacts stand for the ones that remain.
 */
export async function lockContactReferences(
  change: Change<LocationContext>,
  ids: readonly number[],
): Promise<Map<number, ContactReference>> {
  if (ids.length === 0) return new Map();
  const asked = new Map(ids.map((id) => [id, survivorIn(change, id)]));
  const params = [JSON.stringify([...new Set(asked.values())]), change.location.id];
  const contacts = new Map((await change.rows<ContactReference>(lockSeveralText, params)).map((one) => [one.id, one]));
  await requireUnmerged(
    change,
    [...asked.values()].filter((id) => !contacts.has(id)),
  );
  return new Map(
    [...asked].flatMap(([id, survivor]) => (contacts.has(survivor) ? [[id, contacts.get(survivor)!]] : [])),
  );
}

/** The same; resolves to the ids of the locked contacts, each once, in ascending order. */
export async function lockContacts(change: Change<LocationContext>, ids: readonly number[]): Promise<number[]> {
  const contacts = await lockContactReferences(change, ids);
  return [...new Set([...contacts.values()].map(({ id }) => id))].toSorted((one, other) => one - other);
}

/** Statements that update denormalized columns of a contact (its stage, its next task), which lists show and filter by. */
export interface ContactProjection {
  /** What an update of `contacts` sets. */
  readonly assignment: string;
  readonly alone: string;
  readonly withActivity: string;
  /** A condition on `contacts`: its columns are not what they are computed from. */
  readonly differs: string;
}

/** `select` is a correlated subquery on `contacts` that computes the columns. */
export function defineContactProjection(columns: readonly string[], select: string): ContactProjection {
  const assignment = `(${columns.join(", ")}) = (${select})`;
  return {
    assignment,
    alone: `update contacts set ${assignment} where id = ?`,
    withActivity: `update contacts set last_activity_at = ?, ${assignment} where id = ?`,
    differs: `not exists (select ${columns.map((column) => `contacts.${column}`).join(", ")}
      intersect select computed.* from (select 1 as one) as any_case left join (${select}) as computed on true)`,
  };
}

const touchText = "update contacts set last_activity_at = ? where id = ?";

/**
 * Writes an event on the timeline of a locked contact, and updates `last_activity_at` and the denormalized columns in one statement. Resolves
 * to the event's id.
 */
export async function recordActivity(
  change: Change<LocationContext>,
  contactId: number,
  record: Activity,
  projection?: ContactProjection,
): Promise<number> {
  touch(change, contactId, projection);
  const [id] = await change.record({ ...record, contactId: asActive(contactId) });
  return id!;
}

/** The same without waiting, where the event's id is not needed. */
export function raiseActivity(
  change: Change<LocationContext>,
  contactId: number,
  record: Activity,
  projection?: ContactProjection,
): void {
  touch(change, contactId, projection);
  change.raise({ ...record, contactId: asActive(contactId) });
}

type Activity = Omit<EventRecord, "contactId">;

/** The contacts whose `last_activity_at` a change has set: all that it sets is the same moment, which is written once. */
const touched = new WeakMap<Change<LocationContext>, Set<number>>();

function touch(change: Change<LocationContext>, contactId: number, projection: ContactProjection | undefined): void {
  const ofChange = touched.get(change) ?? new Set();
  touched.set(change, ofChange);
  if (projection !== undefined) change.send(projection.withActivity, [change.now, contactId]);
  else if (!ofChange.has(contactId)) change.send(touchText, [change.now, contactId]);
  ofChange.add(contactId);
}

/** An event of a contact; null if the contact is unknown. */
export interface ContactActivity {
  readonly contactId: number | null;
  readonly record: EventRecord;
}

/** The same for events of several locked contacts, in two statements. */
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

/** For changes that update the contact's row, including `last_activity_at`, themselves. */
export function asActive(contactId: number): ActiveContactId {
  return contactId as ActiveContactId;
}
