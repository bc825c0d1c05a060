/** What a contact is once another is merged into it. A pure function: it keeps its values and takes those that it lacks. */
import type { FieldChange } from "../../../events/event-record.ts";
import { changesBetween } from "../../../events/field-changes.ts";
import { limits } from "../../../vocabulary/limits.ts";
import type { CustomMember } from "../../custom-fields/custom-value.ts";
import { contactFields } from "../contact.fields.ts";
import type { ContactField } from "../contact.fields.ts";
import { columnNames, derive, shownColumns } from "../write/contact.columns.ts";
import type { ColumnName, ContactColumns } from "../write/contact.columns.ts";
import { changedMembers, isTooLong } from "../../custom-fields/custom-input.ts";
import type { ContactState } from "../write/contact.index.ts";

export interface MergePlan {
  readonly after: ContactState;
  /** The columns that change, without times. */
  readonly changed: ReadonlySet<ColumnName>;
  readonly changes: readonly FieldChange[];
}

/** Refuses, as a sentence, contacts that would have more tags or longer custom fields than one may have. */
export function planMerge(one: ContactState, other: ContactState, now: Date): MergePlan | { readonly fault: string } {
  const taken: Partial<ContactColumns> = {};
  for (const [field, column] of shownColumns) {
    if (!isBlank(one[column]) || isBlank(other[column])) continue;
    for (const own of columnsOf(field)) Object.assign(taken, { [own]: other[own] });
  }
  const columns = { ...one, ...taken, dnd: one.dnd || other.dnd };
  const members = mergeMembers(one.custom_fields.members, other.custom_fields.members);
  const after: ContactState = {
    ...columns,
    ...derive(columns),
    owner_name: one.owner_id === null ? other.owner_name : one.owner_name,
    custom_fields: { members },
    created_at: Math.min(one.created_at, other.created_at),
    last_activity_at: now.getTime(),
    updated_at: Math.max(one.updated_at, now.getTime()),
  };
  if (new Set([...one.tags, ...other.tags].map(({ id }) => id)).size > limits.contactTags)
    return { fault: `names a contact with which it would have more than ${limits.contactTags} tags.` };
  const custom = changedMembers(one.custom_fields.members, members);
  if (custom.length > 0 && isTooLong(members))
    return {
      fault: `names a contact with which its custom fields would have more than ${limits.customField.characters} characters, as JSON.`,
    };
  return {
    after,
    changed: new Set(columnNames.filter((column) => one[column] !== after[column])),
    changes: [...changesBetween(one, after, shownColumns), ...custom],
  };
}

function columnsOf(field: ContactField): ColumnName[] {
  return Object.keys(contactFields[field].columns) as ColumnName[];
}

function isBlank(value: unknown): boolean {
  return value === null || value === "";
}

function mergeMembers(one: readonly CustomMember[], other: readonly CustomMember[]): CustomMember[] {
  const values = new Map(other.map(({ id, value }) => [id, value]));
  return one.map((member) => ({ ...member, value: member.value ?? values.get(member.id) ?? null }));
}
