/** SQL of custom values: the definitions of a workspace, and the values of a contact in the select of its row. */
import type { Reader } from "../../events/caller.ts";
import { jsonList } from "../../storage/json.ts";
import { unchangedUntilCommit } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import type { CustomField } from "./custom-value.ts";
import type { CustomFieldRow } from "./custom-field.view.ts";

/** The column `custom_fields` of a contact: a list of MemberRow, empty where the workspace defines none. */
export const customFieldsOfContact = jsonList({
  members: {
    id: "custom_fields.id",
    key: "custom_fields.key",
    type: "custom_fields.type",
    value: "custom_values.value",
  },
  from: `custom_fields left join custom_values on custom_values.contact_id = contacts.id and custom_values.field_id = custom_fields.id
    where custom_fields.workspace_id = (select workspace_id from locations where locations.id = contacts.location_id)
    and custom_fields.subject = 'contact'`,
  order: "custom_fields.id, custom_values.id",
});

const definedText = `select id, key, name, type, options from custom_fields where workspace_id = ? and subject = 'contact' order by id`;
const lockedText = sql`${definedText}${unchangedUntilCommit("custom_fields")}`;

/** The custom fields of contacts, oldest first. */
export async function definedFields(reader: Reader): Promise<CustomField[]> {
  return toFields(await reader.rows<CustomFieldRow>(definedText, [reader.workspaceId]));
}

/** The same, locked against deletion until the commit. */
export async function lockDefinedFields(reader: Reader): Promise<CustomField[]> {
  return toFields(await reader.rows<CustomFieldRow>(lockedText, [reader.workspaceId]));
}

function toFields(rows: readonly CustomFieldRow[]): CustomField[] {
  return rows.map(({ id, key, name, type, options }) => ({
    id,
    key,
    name,
    type,
    options: options === null ? [] : (JSON.parse(options) as string[]),
  }));
}
