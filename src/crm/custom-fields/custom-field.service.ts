/** Creates, updates and deletes the custom fields of a workspace; raises no event. */
import type { Caller, Change } from "../../events/caller.ts";
import { requireEveryLocation } from "../../operation/grant-limits.ts";
import { forNoKeyUpdate } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { customFieldKey, hasOptions } from "../../vocabulary/custom-fields.ts";
import type { CustomFieldType } from "../../vocabulary/custom-fields.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { CustomField } from "./custom-field.entity.ts";
import type { CustomFieldInput, CustomFieldPatch } from "./custom-field.schema.ts";
import { valueTables } from "./custom-value.ts";
import { findCustomField } from "./custom-field.queries.ts";
import { toCustomField } from "./custom-field.view.ts";
import type { CustomFieldView } from "./custom-field.view.ts";

const shared = { what: "Custom fields", scope: "custom_fields.write" } as const;

const markText = "update workspaces set has_custom_fields = true where id = ? returning id";
const knownText = "select key from custom_fields where workspace_id = ? and subject = ?";

/**
 * Creates a custom field. Refuses a key that the workspace has, a name that yields no key, options that the type does not take or lacks, or more
 * fields than `limits.customField.most`.
 */
export async function createCustomField(change: Change, input: CustomFieldInput): Promise<CustomFieldView> {
  const { on: subject, name, type, options } = input;
  requireOptions(type, options);
  const key = input.key ?? keyOfName(name);
  const field = input.key === undefined || input.key === null ? "name" : "key";
  if (!customFieldKey.test(key))
    throw new Invalid({ key: ["The key field is required, since none can be made from the name."] });
  // Its lock serializes creations, for the uniqueness of keys and for the limit.
  await change.rows(markText, [change.workspaceId]);
  const known = await change.rows<{ key: string }>(knownText, [change.workspaceId, subject]);
  if (known.some((other) => other.key === key)) {
    throw new Invalid({ [field]: [`The ${field} has already been taken: a custom field has the key ${key}.`] });
  }
  if (known.length >= limits.customField.most)
    throw new Invalid({
      on: [`A workspace can have ${limits.customField.most} custom fields on ${subject}s at most.`],
    });
  const row = change.em.create(CustomField, {
    workspace: change.workspaceId,
    subject,
    key,
    name,
    type,
    options: options === undefined ? null : JSON.stringify(options),
    createdAt: change.now,
  });
  await change.em.flush();
  return toCustomField({ ...row, options: row.options ?? null, created_at: change.now.getTime() });
}

/**
 * Updates the name and the options of a custom field. Values of an option that is no longer one are kept. Refuses `custom_field.not_found`,
 * options of a type that takes none, and a caller who reaches only some locations.
 */
export async function updateCustomField(
  change: Change,
  id: number,
  { name, options }: CustomFieldPatch,
): Promise<CustomFieldView> {
  requireEveryLocation(change, shared);
  await lockCustomField(change, id);
  const field = await change.em.findOne(CustomField, { id, workspace: change.workspaceId });
  if (field === null) throw new Refusal("custom_field.not_found");
  if (name !== undefined) field.name = name;
  if (options !== undefined) {
    requireOptions(field.type, options);
    field.options = JSON.stringify(options);
  }
  await change.em.flush();
  return toCustomField({ ...field, options: field.options ?? null, created_at: field.createdAt.getTime() });
}

/** Values per transaction, to keep transactions and their locks short. */
const valuesPerTransaction = 5000;

const deleteValuesText = (table: string): string =>
  `delete from ${table} where id in (select id from ${table} where field_id = ? order by id limit ${valuesPerTransaction}) returning id`;
const deleteValuesTexts = {
  contact: deleteValuesText(valueTables.contact.table),
  opportunity: deleteValuesText(valueTables.opportunity.table),
};
/** Not while a value is left, such as one that another change is deleting. */
const deleteText = (table: string): string =>
  `delete from custom_fields where id = ? and not exists (select 1 from ${table} where field_id = custom_fields.id) returning id`;
const deleteTexts = {
  contact: deleteText(valueTables.contact.table),
  opportunity: deleteText(valueTables.opportunity.table),
};

/**
 * Deletes the values of a custom field, in several transactions, and then the field. If it is interrupted, run it again to finish. Refuses like
 * updateCustomField.
 */
export async function deleteCustomField(caller: Caller, id: number): Promise<void> {
  requireEveryLocation(caller, shared);
  const field = await findCustomField(caller, id);
  if (field === undefined) throw new Refusal("custom_field.not_found");
  for (let deleted = valuesPerTransaction; deleted === valuesPerTransaction;) {
    deleted = (await caller.change((change) => change.rows(deleteValuesTexts[field.on], [id]))).length;
  }
  for (let isDeleted = false; !isDeleted;) isDeleted = await caller.change((change) => deleteWithRest(change, field));
}

/**
 * Deletes a custom field with the values written in the meantime; false if more of them are left. Changes that write values have the definitions
 * locked, so none is written until the commit (ADR 86).
 */
async function deleteWithRest(change: Change, { id, on }: CustomFieldView): Promise<boolean> {
  const [locked] = await change.rows(lockText, [id, change.workspaceId]);
  if (locked === undefined) throw new Refusal("custom_field.not_found");
  change.send(deleteValuesTexts[on], [id]);
  const deleted = await change.rows(deleteTexts[on], [id]);
  return deleted.length > 0;
}

const lockText = sql`select id from custom_fields where id = ? and workspace_id = ?${forNoKeyUpdate("custom_fields")}`;

/** Locks the custom field against other changes of it, and of its values, until the commit. */
export async function lockCustomField(change: Change, id: number): Promise<void> {
  await change.rows(lockText, [id, change.workspaceId]);
}

function requireOptions(type: CustomFieldType, options: readonly string[] | undefined): void {
  if (hasOptions(type) && options === undefined)
    throw new Invalid({ options: [`The options field is required for the type ${type}.`] });
  if (!hasOptions(type) && options !== undefined)
    throw new Invalid({
      options: [`The options field is for the types select and multiselect; this field has the type ${type}.`],
    });
}

/** The key of a name: its letters without marks and digits, joined by underscores. Empty where it has none before a digit. */
export function keyOfName(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replace(/^[0-9_]+/, "")
    .slice(0, limits.customField.key)
    .replace(/_+$/, "");
}
