/** Resolves the custom field of a command by ID or key. */
import type { CustomFieldView } from "../../../src/crm/custom-fields/custom-field.view.ts";
import type { Reader } from "../../../src/events/caller.ts";
import { Refusal } from "../../../src/vocabulary/errors.ts";

/** A key never looks like an ID. Refuses `custom_field.not_found`. */
export async function chooseField(reader: Reader, text: string): Promise<CustomFieldView> {
  const { findCustomField, findCustomFieldByKey } =
    await import("../../../src/crm/custom-fields/custom-field.queries.ts");
  const field = /^[1-9]\d{0,14}$/.test(text)
    ? await findCustomField(reader, Number(text))
    : await findCustomFieldByKey(reader, "contact", text);
  if (field === undefined) throw new Refusal("custom_field.not_found");
  return field;
}
