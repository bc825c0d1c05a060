/** Custom fields of an input: read against the definitions, and merged into a record's members. */
import type { Change, LocationContext } from "../../events/caller.ts";
import type { FieldChange } from "../../events/event-record.ts";
import { showValue } from "../../kit/input/shown-value.ts";
import type { CustomFieldSubject } from "../../vocabulary/custom-fields.ts";
import type { FieldErrors } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { isSameValue, readCustomValue } from "./custom-value.ts";
import type { CustomField, CustomMember, CustomValue } from "./custom-value.ts";
import { definedFields, lockDefinedFields } from "./custom-values.queries.ts";

type GivenFields = Readonly<Record<string, unknown>> | null | undefined;

/** The custom fields of an item: the values by field id, and what is wrong with others. */
export interface ItemFields {
  readonly values: ReadonlyMap<number, CustomValue>;
  readonly errors: FieldErrors;
}

/**
 * The definitions that a batch needs: locked if an item has values, read if records may be created and must show them. Sends no statement
 * where the workspace is known to define none and no item has values.
 */
export async function findDefinitions(
  change: Change<LocationContext>,
  items: readonly { readonly custom_fields?: GivenFields }[],
  { subject, creates }: { readonly subject: CustomFieldSubject; readonly creates: boolean },
): Promise<readonly CustomField[]> {
  if (items.some(({ custom_fields: given }) => hasFields(given))) return lockDefinedFields(change, subject);
  // SQLite has 0 for false; undefined is unknown.
  if (!creates || change.location.has_custom_fields === false || change.location.has_custom_fields === 0) return [];
  return definedFields(change, subject);
}

function hasFields(given: GivenFields): given is Readonly<Record<string, unknown>> {
  return given !== null && given !== undefined && Object.keys(given).length > 0;
}

/** Reads the custom fields of an item; errors are on `custom_fields.key`. */
export function readItemFields(defined: readonly CustomField[], given: GivenFields): ItemFields | undefined {
  if (!hasFields(given)) return undefined;
  const values = new Map<number, CustomValue>();
  const faults: [string, string[]][] = [];
  for (const [key, value] of Object.entries(given)) {
    const field = defined.find((one) => one.key === key);
    const read = field === undefined ? { fault: unknownFault(defined) } : readCustomValue(field, value);
    if ("fault" in read) faults.push([`custom_fields.${key}`, [`The custom field ${showValue(key)} ${read.fault}`]]);
    else values.set(field!.id, read.value);
  }
  return { values, errors: Object.fromEntries(faults.slice(0, limits.customField.most)) };
}

function unknownFault(defined: readonly CustomField[]): string {
  if (defined.length === 0) return "is unknown: the workspace has defined none.";
  return `is unknown; there are ${defined.map(({ key }) => key).join(", ")}.`;
}

/** The members of a record after an item; `before` has every field that was defined when it was read. */
export function mergeMembers(
  before: readonly CustomMember[],
  defined: readonly CustomField[],
  item: ItemFields | undefined,
): readonly CustomMember[] {
  if (defined.length === 0) return before;
  const values = new Map(before.map(({ id, value }) => [id, value]));
  return defined.map(({ id, key, type }) => {
    const given = item?.values.get(id);
    return { id, key, type, value: given === undefined ? (values.get(id) ?? null) : given };
  });
}

/** The changed values, as timelines and webhooks show them. */
export function changedMembers(before: readonly CustomMember[], after: readonly CustomMember[]): FieldChange[] {
  if (before === after) return [];
  const values = new Map(before.map(({ id, value }) => [id, value]));
  return after.flatMap(({ id, key, value }) => {
    const old = values.get(id) ?? null;
    return isSameValue(old, value) ? [] : { field: `custom_fields.${key}`, old, new: value };
  });
}

/** Whether the values of a record are together longer than they may be. */
export function isTooLong(members: readonly CustomMember[]): boolean {
  return members.length > 0 && lengthOf(members) > limits.customField.characters;
}

/** The characters of the values, as JSON. */
export function lengthOf(members: readonly CustomMember[]): number {
  return members.length === 0 ? 0 : JSON.stringify(members.map(({ value }) => value)).length;
}
