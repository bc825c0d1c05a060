/** Decides what a batch of contacts does, in the order it was sent, before anything is written. Reads and writes nothing. */
import type { FieldChange } from "../../../events/event-record.ts";
import { changesBetween } from "../../../events/field-changes.ts";
import { textKey } from "../../../kit/text-key.ts";
import type { FieldErrors } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import type { TagView } from "../../tags/tag.view.ts";
import { nothingKept } from "../contact.row.ts";
import { blankColumns, columnNames, derive, shownColumns } from "./contact.columns.ts";
import type { ColumnName, ContactColumns } from "./contact.columns.ts";
import type { ContactIndex, ContactState, HeldContact } from "./contact.index.ts";

/** When a contact that comes from elsewhere was created there, and changed last. */
export type GivenTimes = Pick<ContactState, "created_at" | "updated_at">;

/** What one item of a batch sets: columns, and tags that the contact is to have beside those that it has. */
export type ItemValues = Partial<ContactColumns> & Partial<GivenTimes> & { readonly tags?: readonly TagView[] };

/** One event that the batch raises, with the contact as it was at that moment. */
export type PlannedEvent = { readonly contact: HeldContact; readonly state: ContactState } & (
  | { readonly event: "contact.created"; readonly changes?: undefined }
  | { readonly event: "contact.updated"; readonly changes: readonly FieldChange[] }
  | { readonly event: "contact.tag_added"; readonly tag: TagView; readonly changes?: undefined }
);

/** The contact that an item is about, and by what it was found. */
interface Match {
  readonly contact: HeldContact;
  readonly by: "id" | "email" | "phone";
}

/** What became of one item of the batch. */
export type ItemOutcome =
  | {
      readonly outcome: "created" | "updated" | "unchanged";
      readonly contact: HeldContact;
      /** By what the contact was found, and its name at that moment; undefined for one that is created. */
      readonly found: { readonly by: Match["by"]; readonly name: string } | undefined;
      /** Whom the phone number belongs to, when the e-mail address found somebody else. */
      readonly duplicate: HeldContact | undefined;
      /** Its place in `steps`; undefined when nothing changed. */
      readonly step: number | undefined;
    }
  | { readonly outcome: "refused"; readonly errors: FieldErrors };

export interface Plan {
  /** One for each item, in the order sent. */
  readonly outcomes: readonly ItemOutcome[];
  readonly steps: readonly PlannedEvent[];
  readonly created: readonly HeldContact[];
  /** Stored contacts whose columns change, each once, with the columns that did at some moment of the batch. */
  readonly updated: ReadonlyMap<HeldContact, ReadonlySet<ColumnName>>;
  /** Stored contacts to which nothing but tags is added, each once. */
  readonly touched: readonly HeldContact[];
  /** Stored contacts whose external_ref another item of the batch takes over. */
  readonly released: readonly HeldContact[];
}

export interface PlanContext {
  /** The people who have access to the location, by id: at least everyone whom an item names. */
  readonly owners: ReadonlyMap<number, string>;
  readonly now: Date;
  /** The contact that an item is about; undefined: it makes a new one. */
  readonly match: (given: Partial<ContactColumns>) => Match | undefined;
  /** Refuses to take away a first name that is there (PATCH, since creating asks for one). */
  readonly keepsFirstName?: boolean;
}

/** Upsert: the e-mail address finds before the phone number, the lowest id before the others (specification, "upsert"). */
export function matchAsUpsert(index: ContactIndex): PlanContext["match"] {
  return (given) => {
    const byEmail = index.findByEmail(given.email_key);
    if (byEmail !== undefined) return { contact: byEmail, by: "email" };
    const byPhone = index.findByPhone(given.phone_key);
    return byPhone === undefined ? undefined : { contact: byPhone, by: "phone" };
  };
}

/**
 * Import: as an upsert, but whoever has another e-mail address than the contact that the phone number finds is another person.
 * A file holds many people at once, and those of one company share its switchboard.
 */
export function matchOnImport(index: ContactIndex): PlanContext["match"] {
  const matchUpsert = matchAsUpsert(index);
  return (given) => {
    const match = matchUpsert(given);
    const isOther =
      match?.by === "phone" && match.contact.state.email_key !== null && (given.email_key ?? null) !== null;
    return isOther ? undefined : match;
  };
}

/** Changes `index` along the way, so that a later item meets what an earlier one did. */
export function planContacts(
  index: ContactIndex,
  items: readonly ItemValues[],
  { owners, now, match, keepsFirstName = false }: PlanContext,
): Plan {
  const outcomes: ItemOutcome[] = [];
  const steps: PlannedEvent[] = [];
  const created: HeldContact[] = [];
  const updated = new Map<HeldContact, Set<ColumnName>>();
  const touched = new Set<HeldContact>();
  const released = new Set<HeldContact>();
  /** References that stored contacts gave up, and which the database still shows as theirs. */
  const givenUp = new Map<string, HeldContact>();

  for (const given of items) {
    const matched = match(given);
    const found = matched?.contact;
    const errors = judge(given, found, index, owners, keepsFirstName);
    const added = tagsBeside(found, given.tags);
    if ((found?.state.tags.length ?? 0) + added.length > limits.contactTags) {
      errors["tags"] = [`The contact can have ${limits.contactTags} tags at most.`];
    }
    if (Object.keys(errors).length > 0) {
      outcomes.push({ outcome: "refused", errors });
      continue;
    }
    const byPhone = found === undefined ? undefined : index.findByPhone(given.phone_key);
    const duplicate = byPhone === found ? undefined : byPhone;
    const before = found?.state ?? newcomer(now);
    const foundAs = matched === undefined ? undefined : { by: matched.by, name: before.name };
    const after = merge(before, given, owners, now);
    const changes = changesBetween(before, after, shownColumns);
    if (found !== undefined && changes.length === 0 && added.length === 0) {
      outcomes.push({ outcome: "unchanged", contact: found, found: foundAs, duplicate, step: undefined });
      continue;
    }

    const formerHolder = givenUp.get(given.external_ref ?? "");
    if (formerHolder !== undefined && formerHolder !== found) released.add(formerHolder);
    const contact = found ?? { id: undefined, state: after };
    if (found === undefined) {
      index.add(contact);
      created.push(contact);
    } else {
      if (contact.id !== undefined) {
        if (changes.length > 0) updated.set(contact, differing(before, after, updated.get(contact)));
        else touched.add(contact);
        if (before.external_ref !== null && before.external_ref !== after.external_ref)
          givenUp.set(before.external_ref, contact);
      }
      index.change(contact, changes.length > 0 ? after : { ...before, last_activity_at: after.last_activity_at });
    }
    const outcome = found === undefined ? "created" : "updated";
    outcomes.push({ outcome, contact, found: foundAs, duplicate, step: steps.length });
    if (found === undefined) steps.push({ event: "contact.created", contact, state: after });
    else if (changes.length > 0) steps.push({ event: "contact.updated", contact, state: after, changes });
    for (const tag of added) {
      const { state } = contact;
      index.change(contact, { ...state, tags: [...state.tags, tag].toSorted(byName) });
      steps.push({ event: "contact.tag_added", contact, state: contact.state, tag });
    }
  }
  for (const contact of updated.keys()) touched.delete(contact);
  return { outcomes, steps, created, updated, touched: [...touched], released: [...released] };
}

/** The columns in which a contact differs now, beside those in which it did before. */
function differing(before: ContactState, after: ContactState, known = new Set<ColumnName>()): Set<ColumnName> {
  for (const column of columnNames) if (before[column] !== after[column]) known.add(column);
  return known;
}

function judge(
  given: Partial<ContactColumns>,
  found: HeldContact | undefined,
  index: ContactIndex,
  owners: PlanContext["owners"],
  keepsFirstName: boolean,
): FieldErrors {
  const errors: FieldErrors = {};
  if (keepsFirstName && given.first_name === "" && found?.state.first_name !== "") {
    errors["first_name"] = ["The first name field is required."];
  }
  const { owner_id: owner = null, external_ref: reference = null } = given;
  if (owner !== null && !owners.has(owner)) {
    errors["owner_user_id"] = ["The owner user id field must name a person who has access to the location."];
  }
  // Unique across all contacts of the service, deleted ones included (specification, "POST /api/v1/contacts").
  if (reference !== null && index.isTaken(reference, found)) {
    errors["external_ref"] = ["The external ref has already been taken."];
  }
  return errors;
}

/** Those of `tags` that the contact does not have, each once. */
function tagsBeside(found: HeldContact | undefined, tags: readonly TagView[] = []): TagView[] {
  if (tags.length === 0) return [];
  const known = new Set(found?.state.tags.map(({ id }) => id));
  return tags.filter(({ id }) => !known.has(id) && known.add(id));
}

/** The order in which a contact shows its tags. */
function byName(one: TagView, other: TagView): number {
  const [first, second] = [textKey(one.name), textKey(other.name)];
  return first < second ? -1 : first > second ? 1 : one.id - other.id;
}

function newcomer(now: Date): ContactState {
  const time = now.getTime();
  return {
    ...blankColumns,
    ...nothingKept,
    owner_name: null,
    tags: [],
    last_activity_at: time,
    created_at: time,
    updated_at: time,
  };
}

function merge(before: ContactState, given: ItemValues, owners: PlanContext["owners"], now: Date): ContactState {
  const columns = { ...before, ...given, tags: before.tags };
  return {
    ...columns,
    ...derive(columns),
    owner_name: given.owner_id === undefined ? before.owner_name : (owners.get(given.owner_id ?? 0) ?? null),
    last_activity_at: now.getTime(),
    updated_at: given.updated_at ?? Math.max(before.updated_at, now.getTime()),
  };
}
