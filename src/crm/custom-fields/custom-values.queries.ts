/** SQL of custom values: the definitions of a workspace, and the values of a record in the select of its row. */
import type { Reader } from "../../events/caller.ts";
import { jsonList } from "../../storage/json.ts";
import { forShare } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import type { CustomFieldSubject } from "../../vocabulary/custom-fields.ts";
import { valueTables } from "./custom-value.ts";
import type { ValueTable } from "./custom-value.ts";
import type { CustomField } from "./custom-value.ts";
import type { CustomFieldRow } from "./custom-field.view.ts";

/** The column `custom_fields` of a record: a list of MemberRow, empty where the workspace defines none. */
function membersColumn(subject: CustomFieldSubject, records: string, { table, column }: ValueTable) {
  return jsonList({
    members: {
      id: "custom_fields.id",
      key: "custom_fields.key",
      type: "custom_fields.type",
      value: `${table}.value`,
    },
    from: `custom_fields left join ${table} on ${table}.${column} = ${records}.id and ${table}.field_id = custom_fields.id
    where custom_fields.workspace_id = (select workspace_id from locations where locations.id = ${records}.location_id)
    and custom_fields.subject = '${subject}'`,
    order: `custom_fields.id, ${table}.id`,
  });
}

export const customFieldsOfContact = membersColumn("contact", "contacts", valueTables.contact);
export const customFieldsOfOpportunity = membersColumn("opportunity", "opportunities", valueTables.opportunity);

const definedText = `select id, key, name, type, options from custom_fields where workspace_id = ? and subject = ? order by id`;
const lockedText = sql`${definedText}${forShare("custom_fields")}`;

/** The custom fields of contacts or of opportunities, oldest first. */
export async function definedFields(reader: Reader, subject: CustomFieldSubject): Promise<CustomField[]> {
  return toFields(await reader.rows<CustomFieldRow>(definedText, [reader.workspaceId, subject]));
}

/** The same, locked against deletion until the commit. */
export async function lockDefinedFields(reader: Reader, subject: CustomFieldSubject): Promise<CustomField[]> {
  return toFields(await reader.rows<CustomFieldRow>(lockedText, [reader.workspaceId, subject]));
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
