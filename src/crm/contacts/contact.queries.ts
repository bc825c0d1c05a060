/** Reads single contacts, and locks those that a change is about to update. */
import type { Change, LocationContext, Reader } from "../../events/caller.ts";
import { listed, readJson } from "../../storage/json.ts";
import { hasChangedSince, rowVersion, forUpdate } from "../../storage/locks.ts";
import { placeholders } from "../../storage/rows.ts";
import type { Rows } from "../../storage/rows.ts";
import { joinSql, sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { findOrSurvivor, requireUnmerged, survivorIn } from "../contact-redirects.ts";
import { membersOf } from "../custom-fields/custom-value.ts";
import type { TagView } from "../tags/tag.view.ts";
import type { BatchContact } from "./write/contact.index.ts";
import { contactsBy, contactsWithJoins, selectFull, selectRecord, selectState } from "./contact.row.ts";
import type { FullRow, RecordRow, StateRow } from "./contact.row.ts";
import type { ContactView } from "./contact.view.ts";
import { readAndShow, showQueued } from "./large-contact.ts";

const byId = "contacts.id = ? and contacts.location_id = ? and contacts.deleted_at is null";

const fullText = sql`${selectFull} from ${contactsWithJoins} where ${byId}`;

/** The full contact of the location with this id, or that it was merged into, unless it is deleted. One statement, apart from long texts. */
export async function findContact(reader: Reader<LocationContext>, id: number): Promise<ContactView | undefined> {
  const row = await findContactRow(reader, id);
  return row === undefined ? undefined : showContact(reader, row);
}

/** The full contact. Refuses `contact.not_found`. */
export function getContact(reader: Reader<LocationContext>, id: number): Promise<ContactView> {
  return readAndShow(reader, id, () => getContactRow(reader, id));
}

/** The row of the full contact. Refuses `contact.not_found`. */
export async function getContactRow(reader: Reader<LocationContext>, id: number): Promise<FullRow> {
  const row = await findContactRow(reader, id);
  if (row === undefined) throw new Refusal("contact.not_found");
  return row;
}

const recordText = sql`${selectRecord} from ${contactsWithJoins} where ${byId}`;

/** The contact without its lists, as events contain it. Refuses `contact.not_found`. */
export async function getRecordRow(reader: Reader<LocationContext>, id: number): Promise<RecordRow> {
  const [row] = await reader.rows<RecordRow>(recordText, [id, reader.location.id]);
  if (row === undefined) throw new Refusal("contact.not_found");
  return row;
}

const recordsText = sql`${selectRecord} from ${contactsWithJoins}
  where contacts.id in ${listed} and contacts.location_id = ? and contacts.deleted_at is null`;

/** The same for several contacts, by id; deleted ones are left out. */
export async function findRecordRows(
  reader: Reader<LocationContext>,
  ids: readonly number[],
): Promise<Map<number, RecordRow>> {
  const rows = await reader.rows<RecordRow>(recordsText, [JSON.stringify(ids), reader.location.id]);
  return new Map(rows.map((row) => [row.id, row]));
}

const anyRecordText = sql`${selectRecord} from ${contactsWithJoins} where contacts.id = ? and contacts.location_id = ?`;

/** A contact of the location, also one that is deleted or merged. */
export async function findRecord(reader: Reader<LocationContext>, id: number): Promise<RecordRow | undefined> {
  const [row] = await reader.rows<RecordRow>(anyRecordText, [id, reader.location.id]);
  return row;
}

function findContactRow(reader: Reader<LocationContext>, id: number): Promise<FullRow | undefined> {
  return findOrSurvivor(reader, id, async (one) => {
    const [row] = await reader.rows<FullRow>(fullText, [one, reader.location.id]);
    return row;
  });
}

/** The response of a contact row. A contact with much text waits in a fair queue (large-contact.ts). */
export function showContact(reader: Reader<LocationContext>, row: FullRow): Promise<ContactView> {
  // The closure keeps only the id, so that a queued read does not hold the row in memory.
  const { id } = row;
  return showQueued(reader, row, () => getContactRow(reader, id));
}

/** What finds contacts to lock. */
const found = sql`id, ${rowVersion}`;

interface LockedRow extends StateRow {
  /** Whether this change waited for another one of the contact. */
  readonly is_stale: boolean | number;
}

/**
 * Locks the contacts that `text` finds, in the lock order of all changes. PostgreSQL returns a row that it waited for as it is once locked, but
 * with the tags, values and names from before, and does not search again for contacts that match by now.
 */
function lockingText(text: SqlText): SqlText {
  return sql`${selectState}, ${hasChangedSince("found", "contacts")} as is_stale
    from (${text}) as found join ${contactsBy("found")} order by contacts.id${forUpdate("contacts")}`;
}

/** Runs such a statement, again after it has waited. Resolves to the contacts as they are until the commit. */
async function lockCurrent(
  change: Change<LocationContext>,
  lock: () => Promise<LockedRow[]>,
): Promise<(BatchContact & { readonly id: number })[]> {
  let rows = await lock();
  // A later round may lock a lower id than an earlier one. If two changes deadlock this way, PostgreSQL aborts one of them (503).
  // The loop ends, since no other change can change a contact, or take a key, while this one holds its lock.
  for (let stale = staleIds(rows); stale.length > 0; stale = staleIds(rows)) {
    await requireUnmerged(change, stale);
    rows = await lock();
  }
  return rows.map(toBatchContact);
}

function staleIds(rows: readonly LockedRow[]): number[] {
  return rows.flatMap(({ id, is_stale }) => (is_stale ? id : []));
}

function toBatchContact({ id, is_stale: _isStale, ...row }: LockedRow): BatchContact & { id: number } {
  return {
    id,
    state: {
      ...row,
      dnd: Boolean(row.dnd),
      tags: readJson<TagView>(row.tags),
      custom_fields: { members: membersOf(row.custom_fields) },
    },
  };
}

const lockStateText = lockingText(sql`select ${found} from contacts where ${byId}`);

/** Locks the contact, or that it was merged into, until the commit and returns its current state. Refuses `contact.not_found`. */
export async function lockContactState(
  change: Change<LocationContext>,
  id: number,
): Promise<BatchContact & { readonly id: number }> {
  const known = survivorIn(change, id);
  const params = [known, change.location.id];
  const [contact] = await lockCurrent(change, () => change.rows<LockedRow>(lockStateText, params));
  if (contact !== undefined) return contact;
  await requireUnmerged(change, [known]);
  throw new Refusal("contact.not_found");
}

const lockStatesText = lockingText(
  sql`select ${found} from contacts where id in ${listed} and location_id = ? and deleted_at is null`,
);

/** Locks the contacts of the location with these ids, in the order of the ids; deleted ones are left out. */
export async function lockContactStates(
  change: Change<LocationContext>,
  ids: readonly number[],
): Promise<Map<number, BatchContact & { id: number }>> {
  const params = [JSON.stringify(ids), change.location.id];
  const contacts = await lockCurrent(change, () => change.rows<LockedRow>(lockStatesText, params));
  return new Map(contacts.map((contact) => [contact.id, contact]));
}

const oneMatchText = lockingText(
  sql`select id, version from (select ${found} from contacts where location_id = ? and email_key = ? and deleted_at is null order by id limit 1) as by_email
     union select id, version from (select ${found} from contacts where location_id = ? and phone_key = ? and deleted_at is null order by id limit 1) as by_phone`,
);

interface MatchKeys {
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly items: number;
}

/**
 * Locks the contacts of the location that have one of the keys, until the commit: per key at most `items` contacts, lowest ids first, since
 * each item can take a key away from at most one contact.
 */
export async function lockMatches(
  change: Change<LocationContext>,
  { emails, phones, items }: MatchKeys,
): Promise<BatchContact[]> {
  const { location } = change;
  if (emails.length === 0 && phones.length === 0) return [];
  if (items === 1) {
    const params = [location.id, emails[0] ?? null, location.id, phones[0] ?? null];
    return lockCurrent(change, () => change.rows<LockedRow>(oneMatchText, params));
  }
  const ranked = (column: string, values: readonly string[]): SqlText =>
    sql`select id, version from (select ${found}, row_number() over (partition by ${column} order by id) as place from contacts
       where location_id = ? and ${column} in (${placeholders(values.length)}) and deleted_at is null) as by_${column} where place <= ?`;
  const parts = [["email_key", emails] as const, ["phone_key", phones] as const].filter(
    ([, values]) => values.length > 0,
  );
  const text = lockingText(
    joinSql(
      parts.map(([column, values]) => ranked(column, values)),
      " union ",
    ),
  );
  const params = parts.flatMap(([, values]) => [location.id, ...values, items]);
  return lockCurrent(change, () => change.rowsOnce<LockedRow>(text, params));
}

/** The contacts with these external_refs in the whole service, including deleted ones. */
export async function findReferences(
  reader: Rows,
  references: readonly string[],
): Promise<{ id: number; external_ref: string }[]> {
  if (references.length === 0) return [];
  if (references.length === 1)
    return reader.rows("select id, external_ref from contacts where external_ref = ?", references);
  return reader.rowsOnce(
    `select id, external_ref from contacts where external_ref in (${placeholders(references.length)})`,
    references,
  );
}
