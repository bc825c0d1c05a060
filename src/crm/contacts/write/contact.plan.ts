/** Plans a batch of contacts in the order sent, before any write. A pure function over the index. */
import type { FieldChange } from "../../../events/event-record.ts";
import { changesBetween } from "../../../events/field-changes.ts";
import type { FieldErrors } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { noMembers } from "../../custom-fields/custom-value.ts";
import type { CustomField } from "../../custom-fields/custom-value.ts";
import { byTagName } from "../../tags/tag.view.ts";
import type { TagView } from "../../tags/tag.view.ts";
import { emptyProjection } from "../contact.row.ts";
import { blankColumns, columnNames, derive, shownColumns } from "./contact.columns.ts";
import { changedMembers, isTooLong, mergeMembers } from "../../custom-fields/custom-input.ts";
import type { ItemFields } from "../../custom-fields/custom-input.ts";
import type { ColumnName, ContactColumns } from "./contact.columns.ts";
import type { ContactIndex, ContactState, BatchContact } from "./contact.index.ts";

/** The original times of a restored contact. */
export type OriginalTimes = Pick<ContactState, "created_at" | "updated_at">;

/** The values of one item of a batch: columns, and tags to add. */
export type ItemValues = Partial<ContactColumns> &
  Partial<OriginalTimes> & { readonly tags?: readonly TagView[]; readonly customFields?: ItemFields | undefined };

/** An event that the batch raises, with the state of the contact at that point. */
export type PlannedEvent = { readonly contact: BatchContact; readonly state: ContactState } & (
  | { readonly event: "contact.created"; readonly changes?: undefined }
  | { readonly event: "contact.updated"; readonly changes: readonly FieldChange[] }
  | { readonly event: "contact.tag_added"; readonly tag: TagView; readonly changes?: undefined }
);

/** The contact that an item matches, and by which key. */
interface Match {
  readonly contact: BatchContact;
  readonly by: "id" | "email" | "phone";
}

/** The outcome of one item of the batch. */
export type ItemOutcome =
  | {
      readonly outcome: "created" | "updated" | "unchanged";
      readonly contact: BatchContact;
      /** The matching key and the contact's previous name; undefined for a created contact. */
      readonly found: { readonly by: Match["by"]; readonly name: string } | undefined;
      /** Another contact with the phone number, if the item was matched by e-mail address. */
      readonly duplicate: BatchContact | undefined;
      /** Its index in `steps`; undefined if nothing changed. */
      readonly step: number | undefined;
    }
  | { readonly outcome: "refused"; readonly errors: FieldErrors };

export interface Plan {
  /** One per item, in the order sent. */
  readonly outcomes: readonly ItemOutcome[];
  readonly steps: readonly PlannedEvent[];
  readonly created: readonly BatchContact[];
  /** Stored contacts to update, each once, with every column that the batch changes. */
  readonly updated: ReadonlyMap<BatchContact, ReadonlySet<ColumnName>>;
  /** Stored contacts whose custom fields change, with the ids of these. */
  readonly replaced: ReadonlyMap<BatchContact, ReadonlySet<number>>;
  /** Stored contacts that only get tags, each once. */
  readonly touched: readonly BatchContact[];
  /** Stored contacts whose external_ref moves to another item of the batch. */
  readonly released: readonly BatchContact[];
}

export interface PlanContext {
  /** Names of people with access to the location, by id; includes at least those that the items name. */
  readonly owners: ReadonlyMap<number, string>;
  readonly now: Date;
  /** The contact that an item matches; undefined to create one. */
  readonly match: (values: Partial<ContactColumns>) => Match | undefined;
  /** The custom fields of the workspace, if the batch needs them. */
  readonly defined?: readonly CustomField[];
  /** Refuses to clear an existing first name (for PATCH, since create requires one). */
  readonly keepsFirstName?: boolean;
}

/** Upsert: matches by e-mail address before phone number, and the lowest id first (specification, "upsert"). */
export function matchAsUpsert(index: ContactIndex): PlanContext["match"] {
  return (values) => {
    const byEmail = index.findByEmail(values.email_key);
    if (byEmail !== undefined) return { contact: byEmail, by: "email" };
    const byPhone = index.findByPhone(values.phone_key);
    return byPhone === undefined ? undefined : { contact: byPhone, by: "phone" };
  };
}

/**
 * Import: like upsert, but a contact matched by phone number with a different e-mail address is a different person. Files contain many people,
 * and those of one company share a switchboard number.
 */
export function matchOnImport(index: ContactIndex): PlanContext["match"] {
  const matchUpsert = matchAsUpsert(index);
  return (values) => {
    const match = matchUpsert(values);
    const isOther =
      match?.by === "phone" && match.contact.state.email_key !== null && (values.email_key ?? null) !== null;
    return isOther ? undefined : match;
  };
}

/** Updates `index` along the way, so that later items see the effects of earlier ones. */
export function planContacts(
  index: ContactIndex,
  items: readonly ItemValues[],
  { owners, now, match, defined = [], keepsFirstName = false }: PlanContext,
): Plan {
  const outcomes: ItemOutcome[] = [];
  const steps: PlannedEvent[] = [];
  const created: BatchContact[] = [];
  const updated = new Map<BatchContact, Set<ColumnName>>();
  const replaced = new Map<BatchContact, Set<number>>();
  const touched = new Set<BatchContact>();
  const released = new Set<BatchContact>();
  /** References that stored contacts lose in this batch but still have in the database. */
  const releasedReferences = new Map<string, BatchContact>();

  for (const values of items) {
    const matched = match(values);
    const found = matched?.contact;
    const errors = validate(values, found, index, owners, keepsFirstName);
    const added = tagsToAdd(found, values.tags);
    if ((found?.state.tags.length ?? 0) + added.length > limits.contactTags) {
      errors["tags"] = [`The contact can have ${limits.contactTags} tags at most.`];
    }
    if (Object.keys(errors).length > 0) {
      outcomes.push({ outcome: "refused", errors });
      continue;
    }
    const byPhone = found === undefined ? undefined : index.findByPhone(values.phone_key);
    const duplicate = byPhone === found ? undefined : byPhone;
    const before = found?.state ?? blankContact(now);
    const foundAs = matched === undefined ? undefined : { by: matched.by, name: before.name };
    const after = merge(before, values, owners, now, defined);
    const custom = changedMembers(before.custom_fields.members, after.custom_fields.members);
    if (custom.length > 0 && isTooLong(after.custom_fields.members)) {
      const most = limits.customField.characters;
      outcomes.push({
        outcome: "refused",
        errors: { custom_fields: [`The custom fields of a contact can have ${most} characters at most, as JSON.`] },
      });
      continue;
    }
    const changes = [...changesBetween(before, after, shownColumns), ...custom];
    if (found !== undefined && changes.length === 0 && added.length === 0) {
      outcomes.push({ outcome: "unchanged", contact: found, found: foundAs, duplicate, step: undefined });
      continue;
    }

    const formerHolder = releasedReferences.get(values.external_ref ?? "");
    if (formerHolder !== undefined && formerHolder !== found) released.add(formerHolder);
    const contact = found ?? { id: undefined, state: after };
    if (found === undefined) {
      index.add(contact);
      created.push(contact);
    } else {
      if (contact.id !== undefined) {
        if (changes.length > 0) updated.set(contact, differingColumns(before, after, updated.get(contact)));
        else touched.add(contact);
        if (custom.length > 0) replaced.set(contact, givenFields(values, replaced.get(contact)));
        if (before.external_ref !== null && before.external_ref !== after.external_ref)
          releasedReferences.set(before.external_ref, contact);
      }
      index.change(contact, changes.length > 0 ? after : { ...before, last_activity_at: after.last_activity_at });
    }
    const outcome = found === undefined ? "created" : "updated";
    outcomes.push({ outcome, contact, found: foundAs, duplicate, step: steps.length });
    if (found === undefined) steps.push({ event: "contact.created", contact, state: after });
    else if (changes.length > 0) steps.push({ event: "contact.updated", contact, state: after, changes });
    for (const tag of added) {
      const { state } = contact;
      index.change(contact, { ...state, tags: [...state.tags, tag].toSorted(byTagName) });
      steps.push({ event: "contact.tag_added", contact, state: contact.state, tag });
    }
  }
  for (const contact of updated.keys()) touched.delete(contact);
  return { outcomes, steps, created, updated, replaced, touched: [...touched], released: [...released] };
}

/** Adds the custom fields of an item to `known`. */
function givenFields({ customFields }: ItemValues, known = new Set<number>()): Set<number> {
  for (const id of customFields?.values.keys() ?? []) known.add(id);
  return known;
}

/** Adds the columns in which the two states differ to `known`. */
function differingColumns(before: ContactState, after: ContactState, known = new Set<ColumnName>()): Set<ColumnName> {
  for (const column of columnNames) if (before[column] !== after[column]) known.add(column);
  return known;
}

function validate(
  values: ItemValues,
  found: BatchContact | undefined,
  index: ContactIndex,
  owners: PlanContext["owners"],
  keepsFirstName: boolean,
): FieldErrors {
  const errors: FieldErrors = { ...values.customFields?.errors };
  if (keepsFirstName && values.first_name === "" && found?.state.first_name !== "") {
    errors["first_name"] = ["The first name field is required."];
  }
  const { owner_id: owner = null, external_ref: reference = null } = values;
  if (owner !== null && !owners.has(owner)) {
    errors["owner_user_id"] = ["The owner user id field must name a person who has access to the location."];
  }
  // Unique across all contacts of the service, including deleted ones (specification, "POST /api/v1/contacts").
  if (reference !== null && index.isTaken(reference, found)) {
    errors["external_ref"] = ["The external ref has already been taken."];
  }
  return errors;
}

/** The `tags` that the contact does not have yet, each once. */
function tagsToAdd(found: BatchContact | undefined, tags: readonly TagView[] = []): TagView[] {
  if (tags.length === 0) return [];
  const known = new Set(found?.state.tags.map(({ id }) => id));
  return tags.filter(({ id }) => !known.has(id) && known.add(id));
}

function blankContact(now: Date): ContactState {
  const time = now.getTime();
  return {
    ...blankColumns,
    ...emptyProjection,
    owner_name: null,
    tags: [],
    custom_fields: noMembers,
    last_activity_at: time,
    created_at: time,
    updated_at: time,
  };
}

function merge(
  before: ContactState,
  { customFields, ...values }: ItemValues,
  owners: PlanContext["owners"],
  now: Date,
  defined: readonly CustomField[],
): ContactState {
  const columns = { ...before, ...values, tags: before.tags };
  const members = mergeMembers(before.custom_fields.members, defined, customFields);
  return {
    ...columns,
    custom_fields: members === before.custom_fields.members ? before.custom_fields : { members },
    ...derive(columns),
    owner_name: values.owner_id === undefined ? before.owner_name : (owners.get(values.owner_id ?? 0) ?? null),
    last_activity_at: now.getTime(),
    updated_at: values.updated_at ?? Math.max(before.updated_at, now.getTime()),
  };
}
