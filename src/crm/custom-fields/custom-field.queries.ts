/** Reads the custom fields of a workspace, oldest first. */
import type { Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import type { CustomFieldSubject } from "../../vocabulary/custom-fields.ts";
import { toCustomField } from "./custom-field.view.ts";
import type { CustomFieldRow, CustomFieldView } from "./custom-field.view.ts";

const columns = "id, subject, key, name, type, options, created_at";
const byIdText = `select ${columns} from custom_fields where id = ? and workspace_id = ?`;
const pageText = `select ${columns} from custom_fields where workspace_id = ? and id > ? order by id limit ?`;

export async function findCustomField(reader: Reader, id: number): Promise<CustomFieldView | undefined> {
  const [field] = await reader.rows<CustomFieldRow>(byIdText, [id, reader.workspaceId]);
  return field === undefined ? undefined : toCustomField(field);
}

const byKeyText = `select ${columns} from custom_fields where workspace_id = ? and subject = ? and key = ?`;

export async function findCustomFieldByKey(
  reader: Reader,
  subject: CustomFieldSubject,
  key: string,
): Promise<CustomFieldView | undefined> {
  const [field] = await reader.rows<CustomFieldRow>(byKeyText, [reader.workspaceId, subject, key]);
  return field === undefined ? undefined : toCustomField(field);
}

/** A page of the custom fields of the workspace. Refuses a cursor of another list. */
export function listCustomFields(reader: Reader, query: PageQuery): Promise<Page<CustomFieldView>> {
  return page(reader.tools.cursors, query, {
    list: `custom fields ${reader.workspaceId}`,
    find: ([after]: [id: number] = [0], most) =>
      reader.rows<CustomFieldRow>(pageText, [reader.workspaceId, after, most]),
    placeOf: ({ id }): [id: number] => [id],
    show: toCustomField,
  });
}
