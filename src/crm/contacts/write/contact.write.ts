/** The write path of contacts, shared by create, upsert, bulk, import and PATCH. Advisory locks serialize upserts of one person (`planBatch`). */
import type { Change, LocationContext } from "../../../events/caller.ts";
import type { EventCause, EventRecord } from "../../../events/event-record.ts";
import { eventTable, reserveEventIds } from "../../../events/record.ts";
import {
  columnsToWrite,
  defineInsert,
  defineUpdate,
  insertRows,
  sendRows,
  updateRow,
} from "../../../storage/inserting/insert.ts";
import { lockKeys } from "../../../storage/locks.ts";
import { placeholders } from "../../../storage/rows.ts";
import { findUsersWithAccess } from "../../../tenancy/users/user.queries.ts";
import { asActive, releaseContact } from "../../contact-activity.ts";
import type { TagView } from "../../tags/tag.view.ts";
import { contactCreated, contactTagAdded, contactUpdated } from "../contact.events.ts";
import { contactsToCopy, updateCopies } from "../neighbours/contact-copies.ts";
import { recordCount } from "../contact-counts.ts";
import { columnCasts, columnNames, toColumns } from "./contact.columns.ts";
import type { ColumnName, ContactColumns } from "./contact.columns.ts";
import { findDefinitions, readItemFields } from "../../custom-fields/custom-input.ts";
import { writeValues } from "./contact.custom-fields.ts";
import { ContactIndex } from "./contact.index.ts";
import type { BatchContact } from "./contact.index.ts";
import { matchAsUpsert, matchOnImport, planContacts } from "./contact.plan.ts";
import type { ItemValues, OriginalTimes, ItemOutcome, Plan, PlanContext, PlannedEvent } from "./contact.plan.ts";
import { findReferences, lockContactState, lockMatches } from "../contact.queries.ts";
import type { ContactInput } from "../contact.schema.ts";
import { toRecord } from "../contact.view.ts";

/** One contact of a batch. Imports also set tags, and exact imports the times. */
export type BatchInput = ContactInput & {
  readonly tags?: readonly TagView[];
  readonly times?: OriginalTimes | undefined;
};

/** The outcome of one item; `eventId`: its event, if the batch created contacts. */
export type WrittenItem = ItemOutcome & { readonly eventId?: number | undefined };

/** `create` creates a contact per item; `upsert` and `import` match existing ones by email or phone (contact.plan.ts). */
type Mode = "create" | "upsert" | "import";

const matches: Readonly<Record<Mode, (index: ContactIndex) => PlanContext["match"]>> = {
  create: () => () => undefined,
  upsert: matchAsUpsert,
  import: matchOnImport,
};

/**
 * Writes a batch in a constant number of statements, whatever its size: locks, reads, updates, inserts, tags, events, the count.
 */
export async function writeContacts(
  change: Change<LocationContext>,
  inputs: readonly BatchInput[],
  mode: Mode,
): Promise<WrittenItem[]> {
  if (mode === "create") reserveIds(change, inputs.length, inputs.length);
  return writePlan(change, await planBatch(change, new ContactIndex(), inputs, mode));
}

/** Updates one contact. Refuses `contact.not_found`. */
export async function rewriteContact(
  change: Change<LocationContext>,
  id: number,
  input: ContactInput,
): Promise<WrittenItem> {
  const columns = toColumns(input, change.location.country);
  lockContactKeys(change, [columns]);
  const contact = await lockContactState(change, id);
  const index = new ContactIndex();
  index.add(contact);
  const owners = await loadReferences(change, index, [columns]);
  const defined = await findDefinitions(change, [input], { subject: "contact", creates: false });
  const [written] = await writePlan(
    change,
    planContacts(index, [{ ...columns, customFields: readItemFields(defined, input.custom_fields) }], {
      owners,
      defined,
      now: change.now,
      match: () => ({ contact, by: "id" }),
      keepsFirstName: true,
    }),
  );
  return written!;
}

/** Plans what writeContacts would do, given the contacts in `index`. Writes nothing. */
export async function planBatch(
  change: Change<LocationContext>,
  index: ContactIndex,
  inputs: readonly BatchInput[],
  mode: Mode,
): Promise<Plan> {
  const items = inputs.map((input): ItemValues => {
    const columns = toColumns(input, change.location.country);
    return input.tags === undefined ? columns : { ...columns, tags: input.tags, ...input.times };
  });
  lockContactKeys(change, items);
  if (mode !== "create") {
    const keys = {
      emails: distinctValues(items, "email_key"),
      phones: distinctValues(items, "phone_key"),
      items: items.length,
    };
    for (const contact of await lockMatches(change, keys)) index.add(contact);
  }
  const owners = await loadReferences(change, index, items);
  const defined = await findDefinitions(change, inputs, { subject: "contact", creates: true });
  const given = items.map((item, place): ItemValues => {
    const customFields = readItemFields(defined, inputs[place]!.custom_fields);
    return customFields === undefined ? item : { ...item, customFields };
  });
  return planContacts(index, given, { owners, now: change.now, match: matches[mode](index), defined });
}

const deletedText = "update contacts set deleted_at = ?, last_activity_at = ? where id = ?";
const releasedText = "update contacts set deleted_at = ?, last_activity_at = ?, external_ref = null where id = ?";

/** Marks a locked contact as deleted. Its external_ref stays reserved, unless another contact is about to get it. */
export function markAsDeleted(change: Change<LocationContext>, id: number, { keepsReference = true } = {}): void {
  releaseContact(change, id);
  change.send(keepsReference ? deletedText : releasedText, [change.now, change.now, id]);
}

/** Soft-deletes a contact and returns its last state. Refuses `contact.not_found`. */
export async function softDeleteContact(
  change: Change<LocationContext>,
  id: number,
): Promise<BatchContact & { readonly id: number }> {
  const { id: locked, state } = await lockContactState(change, id);
  markAsDeleted(change, locked);
  return { id: locked, state: { ...state, last_activity_at: change.now.getTime() } };
}

/** Locks the keys of the items (advisory locks), which serializes concurrent upserts of one person and uses of one external_ref. */
function lockContactKeys(change: Change<LocationContext>, items: readonly Partial<ContactColumns>[]): void {
  lockKeys(change, keysOf(change.location.id, items));
}

/** The keys that `rewriteContact` locks. A change that locks the contact before must lock these first (lock order). */
export function keysOfInput({ location }: Change<LocationContext>, input: ContactInput): string[] {
  return keysOf(location.id, [toColumns(input, location.country)]);
}

function keysOf(locationId: number, items: readonly Partial<ContactColumns>[]): string[] {
  return [
    ...distinctValues(items, "email_key").map((key) => `contact email ${locationId} ${key}`),
    ...distinctValues(items, "phone_key").map((key) => `contact phone ${locationId} ${key}`),
    ...distinctValues(items, "external_ref").map((key) => `contact external_ref ${key}`),
  ];
}

/** Reserves ids, so that rows, events and the commit can be sent without waiting in between. */
function reserveIds(change: Change<LocationContext>, contacts: number, events: number): void {
  change.roundTrips.reserveIds(contactInsert.table, contacts);
  reserveEventIds(change, events);
}

async function loadReferences(
  change: Change<LocationContext>,
  index: ContactIndex,
  items: readonly Partial<ContactColumns>[],
): Promise<Map<number, string>> {
  for (const { id, external_ref } of await findReferences(change, distinctValues(items, "external_ref"))) {
    index.addReference(external_ref, id);
  }
  return findUsersWithAccess(change, new Set(distinctValues(items, "owner_id")));
}

/** The distinct values of a column over all items. */
function distinctValues<Column extends keyof ContactColumns>(
  items: readonly Partial<ContactColumns>[],
  column: Column,
): NonNullable<ContactColumns[Column]>[] {
  return [...new Set(items.map((item) => item[column]))].filter((value) => value !== undefined && value !== null);
}

const contactInsert = defineInsert(
  "contacts",
  ["location_id", ...columnNames, "last_activity_at", "created_at", "updated_at"],
  // Denormalized columns are written by the modules that own them.
  { leaves: ["stage_id", "stage_kind", "value_cents", "next_task_id", "deleted_at"] },
);

/** The tables into which creating a contact inserts one row each with a reserved id. */
export const insertedWithContact = [contactInsert.table, eventTable];

/** Indexed columns that should only be written if they change. All other indexes contain last_activity_at or updated_at and change anyway. */
const rarelyMoving = ["name_key", "email_key", "phone_key", "owner_id", "external_ref", "long_keys"] as const;

const contactUpdate = defineUpdate("contacts", [...columnNames, "last_activity_at", "updated_at"], {
  onlyWhereOther: rarelyMoving,
});

const tagInsert = defineInsert("contact_tags", ["contact_id", "tag_id", "created_at"]);

function toEvent(step: PlannedEvent, now: number): EventRecord {
  const { contact, state } = step;
  const record = toRecord({ ...state, id: contact.id! }, now);
  switch (step.event) {
    case "contact.created":
      return contactCreated.of(record);
    case "contact.updated":
      return contactUpdated.of(record, { changes: step.changes });
    case "contact.tag_added":
      return contactTagAdded.of({ ...record, tag: step.tag });
  }
}

/** Writes a plan, with events of this cause. */
export async function writePlan(
  change: Change<LocationContext>,
  plan: Plan,
  cause: EventCause | null = null,
): Promise<WrittenItem[]> {
  // The unique index is checked row by row, so references are released before other rows take them.
  if (plan.released.length > 0)
    releaseReferences(
      change,
      plan.released.map(({ id }) => id!),
    );
  if (plan.updated.size > 0) updateContacts(change, plan.updated);
  await updateCopies(change, contactsToCopy(plan.steps));
  if (plan.created.length > 0) {
    reserveIds(change, plan.created.length, plan.steps.length);
    await insertContacts(change, plan.created);
  }
  writeValues(change, plan.created, plan.replaced);
  if (plan.touched.length > 0) {
    change.sendOnce(`update contacts set last_activity_at = ? where id in (${placeholders(plan.touched.length)})`, [
      change.now,
      ...plan.touched.map(({ id }) => id!),
    ]);
  }
  const tagged = plan.steps.flatMap((step) =>
    step.event === "contact.tag_added"
      ? { contact_id: step.contact.id!, tag_id: step.tag.id, created_at: change.now }
      : [],
  );
  if (tagged.length > 0) sendRows(change, tagInsert, tagged);
  const events = plan.steps.map((step) => ({
    ...toEvent(step, change.now.getTime()),
    contactId: asActive(step.contact.id!),
    cause,
  }));
  let eventIds: number[] = [];
  if (plan.created.length === 0) {
    change.raise(...events);
  } else {
    eventIds = await change.record(...events);
    recordCount(change, plan.created.length);
  }
  return plan.outcomes.map((outcome) =>
    outcome.outcome === "refused" || outcome.step === undefined
      ? outcome
      : { ...outcome, eventId: eventIds[outcome.step] },
  );
}

/** Takes the external_ref of contacts, which others are about to get. */
function releaseReferences(change: Change<LocationContext>, ids: readonly number[]): void {
  change.sendOnce(`update contacts set external_ref = null where id in (${placeholders(ids.length)})`, ids);
}

async function insertContacts(change: Change<LocationContext>, created: readonly BatchContact[]): Promise<void> {
  const ids = await insertRows(
    change,
    contactInsert,
    created.map(({ state }) => ({
      ...state,
      location_id: change.location.id,
      last_activity_at: change.now,
      created_at: new Date(state.created_at),
      updated_at: new Date(state.updated_at),
    })),
  );
  created.forEach((contact, place) => {
    contact.id = ids[place];
  });
}

/** Keeps updated_at from going back when the clock was set back. Binds the time twice. */
const laterMoment = "case when contacts.updated_at > ? then contacts.updated_at else ? end";

function updateManyText(columns: readonly ColumnName[], count: number): string {
  const row = `(cast(? as bigint), ${columns.map((column) => `cast(? as ${columnCasts[column]})`).join(", ")})`;
  return `with given(id, ${columns.join(", ")}) as (values ${Array.from({ length: count }, () => row).join(", ")})
    update contacts set ${columns.map((column) => `${column} = given.${column}`).join(", ")},
      last_activity_at = ?, updated_at = ${laterMoment} from given where contacts.id = given.id`;
}

/** Updates locked contacts in one statement, whichever columns differ. */
export function updateContacts(change: Change<LocationContext>, updated: Plan["updated"]): void {
  for (const { id } of updated.keys()) releaseContact(change, id!);
  const [[{ id, state }, changed], ...others] = [...updated] as [[BatchContact, ReadonlySet<ColumnName>]];
  const moment = { last_activity_at: change.now, updated_at: new Date(state.updated_at) };
  if (others.length === 0) return updateRow(change, contactUpdate, id!, { ...state, ...moment }, changed);
  const moving = new Set([...updated.values()].flatMap((columns) => [...columns]));
  const columns = columnsToWrite(contactUpdate, moving).filter((column): column is ColumnName => !(column in moment));
  const rows = [...updated.keys()].flatMap((contact) => [
    contact.id!,
    ...columns.map((column) => contact.state[column]),
  ]);
  change.sendOnce(updateManyText(columns, updated.size), [...rows, change.now, change.now, change.now]);
}
