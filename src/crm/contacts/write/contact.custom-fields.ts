/** Custom fields in the write path: reads the input, merges it into a contact's members, and says which rows to write. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import type { FieldChange } from "../../../events/event-record.ts";
import { defineInsert, sendRows } from "../../../storage/inserting/insert.ts";
import { placeholders } from "../../../storage/rows.ts";
import { showValue } from "../../../kit/input/shown-value.ts";
import type { FieldErrors } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { definedFields, lockDefinedFields } from "../../custom-fields/custom-values.queries.ts";
import { isSameValue, readCustomValue, toStoredValues } from "../../custom-fields/custom-value.ts";
import type { CustomField, CustomMember, CustomValue } from "../../custom-fields/custom-value.ts";
import type { BatchContact } from "./contact.index.ts";

type GivenFields = Readonly<Record<string, unknown>> | null | undefined;

/** The custom fields of an item: the values by field id, and what is wrong with others. */
export interface ItemFields {
  readonly values: ReadonlyMap<number, CustomValue>;
  readonly errors: FieldErrors;
}

/**
 * The definitions that a batch needs: locked if an item has values, read if contacts may be created and must show them. Sends no statement
 * where the workspace is known to define none and no item has values.
 */
export async function findDefinitions(
  change: Change<LocationContext>,
  items: readonly { readonly custom_fields?: GivenFields }[],
  creates: boolean,
): Promise<readonly CustomField[]> {
  if (items.some(({ custom_fields: given }) => hasFields(given))) return lockDefinedFields(change);
  // SQLite has 0 for false; undefined is unknown.
  if (!creates || change.location.has_custom_fields === false || change.location.has_custom_fields === 0) return [];
  return definedFields(change);
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

/** The members of a contact after an item; `before` has every field that was defined when it was read. */
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

/** Whether the values of a contact are together longer than they may be. */
export function isTooLong(members: readonly CustomMember[]): boolean {
  return members.length > 0 && JSON.stringify(members.map(({ value }) => value)).length > limits.customField.characters;
}

/** As many values as most contacts have. */
const preparedRows = 20;

const valueInsert = defineInsert("custom_values", [
  "contact_id",
  "field_id",
  "location_id",
  "value",
  "key",
  "long_key",
]);

/** Replaces the values of these fields by those of the contact's state. Its members have every defined field. */
export function writeValues(
  change: Change<LocationContext>,
  created: readonly BatchContact[],
  replaced: ReadonlyMap<BatchContact, ReadonlySet<number>>,
): void {
  for (const [{ id }, fields] of replaced) {
    change.sendOnce(`delete from custom_values where contact_id = ? and field_id in (${placeholders(fields.size)})`, [
      id!,
      ...fields,
    ]);
  }
  const rows = [
    ...created.flatMap((contact) => rowsOf(change, contact, () => true)),
    ...[...replaced].flatMap(([contact, fields]) => rowsOf(change, contact, (id) => fields.has(id))),
  ];
  if (rows.length > 0) sendRows(change, valueInsert, rows, { prepared: preparedRows });
}

function rowsOf(
  { location }: Change<LocationContext>,
  { id, state }: BatchContact,
  isWritten: (id: number) => boolean,
) {
  return state.custom_fields.members.flatMap((member) =>
    isWritten(member.id)
      ? toStoredValues(member).map((stored) => ({
          contact_id: id!,
          field_id: member.id,
          location_id: location.id,
          ...stored,
        }))
      : [],
  );
}
