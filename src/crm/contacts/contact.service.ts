/** Creates, updates, upserts and deletes contacts: one function per operation, which also records the events. */
import type { Caller, Change, LocationContext } from "../../events/caller.ts";
import { withRollback } from "../../events/with-rollback.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { asActive } from "../contact-activity.ts";
import { recordCount } from "./contact-counts.ts";
import { forgetContact } from "./neighbours/contact-neighbours.ts";
import { contactDeleted } from "./contact.events.ts";
import { getContact } from "./contact.queries.ts";
import type { BulkItem, ContactInput } from "./contact.schema.ts";
import { toActivityRow } from "./contact.row.ts";
import { toContact, toRecord } from "./contact.view.ts";
import type { BulkContactsView, ContactView, UpsertContactView } from "./contact.view.ts";
import { attemptBisectingContacts } from "./write/contact.bisect.ts";
import { rewriteContact, softDeleteContact, writeContacts } from "./write/contact.write.ts";
import type { WrittenItem } from "./write/contact.write.ts";

/** Creates a contact and raises contact.created. Refuses with 422 an external_ref that is in use, and an owner without access to the location. */
export async function createContact(change: Change<LocationContext>, input: ContactInput): Promise<ContactView> {
  const [written] = await writeContacts(change, [input], "create");
  return showWritten(change, accepted(written!));
}

/** Updates the given fields and raises contact.updated if a value changed. Refuses like createContact. */
export async function updateContact(
  change: Change<LocationContext>,
  id: number,
  input: ContactInput,
): Promise<Accepted> {
  return accepted(await rewriteContact(change, id, input));
}

/** Updates the contact with the given email or phone, or creates one. Refuses like createContact. */
export async function upsertContact(
  change: Change<LocationContext>,
  input: ContactInput,
): Promise<{ upserted: UpsertContactView; isUnchanged: boolean }> {
  const [outcome] = await writeContacts(change, [input], "upsert");
  const written = accepted(outcome!);
  const contact = await showWritten(change, written);
  const upserted: UpsertContactView = { contact, created: written.outcome === "created" };
  if (written.duplicate !== undefined) {
    const { id, state } = written.duplicate;
    upserted.possible_duplicates = [{ id: id!, name: state.name, matched_on: "phone" }];
  }
  return { upserted, isUnchanged: written.outcome === "unchanged" };
}

/** Upserts a batch of contacts. Items are independent: a refused one does not affect the others. */
export async function bulkUpsertContacts(
  change: Change<LocationContext>,
  items: readonly BulkItem[],
): Promise<BulkContactsView> {
  const inputs = items.flatMap((item) => ("input" in item ? [item.input] : []));
  const written = (await writeContacts(change, inputs, "upsert")).values();
  return {
    data: items.map((item) => toBulkResult("input" in item ? written.next().value! : { outcome: "refused", ...item })),
  };
}

/**
 * Finds the items of a failed bulk that the database rejects, and replaces them by errors. Changes cannot be nested, so items are tried by
 * bisection: the accepted ones plus a part of the rest, in a change that is rolled back. This takes many changes where
 * `bulkUpsertContacts` takes one.
 */
export async function withoutRefused(caller: Caller<LocationContext>, items: readonly BulkItem[]): Promise<BulkItem[]> {
  const results = [...items];
  const valid = items.flatMap((item, index) => ("input" in item ? [{ index, input: item.input }] : []));
  const passed: ContactInput[] = [];
  await attemptBisectingContacts(
    valid,
    async (part) => {
      const inputs = part.map(({ input }) => input);
      await withRollback<Change<LocationContext>>(
        (work) => caller.change(work, "large"),
        (change) => writeContacts(change, [...passed, ...inputs], "upsert"),
      );
      passed.push(...inputs);
    },
    ({ index }, errors) => {
      results[index] = { errors };
    },
  );
  return results;
}

function toBulkResult(written: WrittenItem): BulkContactsView["data"][number] {
  if (written.outcome === "refused") {
    return { status: 422, message: new Invalid(written.errors).message, errors: written.errors };
  }
  const created = written.outcome === "created";
  return { status: created ? 201 : 200, created, id: written.contact.id! };
}

/**
 * Soft-deletes the contact, updates the records that belong to it and raises contact.deleted; its external_ref stays reserved. Refuses
 * `contact.not_found`.
 */
export async function deleteContact(change: Change<LocationContext>, contactId: number): Promise<void> {
  const { id, state } = await softDeleteContact(change, contactId);
  const { name, phone_display, email } = state;
  await forgetContact(change, { id, name, phone_display, email });
  change.raise({
    ...contactDeleted.of(toRecord({ ...state, id }, change.now.getTime())),
    contactId: asActive(id),
  });
  recordCount(change, -1);
}

type Accepted = Exclude<WrittenItem, { outcome: "refused" }>;

function accepted(written: WrittenItem): Accepted {
  if (written.outcome === "refused") throw new Invalid(written.errors);
  return written;
}

/** The full contact for the response. A new contact needs no read: all of its lists are empty, except for the event that created it. */
export async function showWritten(
  change: Change<LocationContext>,
  { outcome, contact, eventId }: Accepted,
): Promise<ContactView> {
  if (outcome !== "created") return getContact(change, contact.id!);
  const activities = [toActivityRow(change, eventId!, { event: "contact.created", timeline: [] })];
  return toContact(
    { ...contact.state, id: contact.id! },
    { opportunities: [], tasks: [], notes: [], conversations: [], activities },
    change.now.getTime(),
  );
}
