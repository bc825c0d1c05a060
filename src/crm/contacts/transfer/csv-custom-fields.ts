/** Custom fields in CSV files: their columns, which an import finds by key or name or makes fields for. */
import type { Change } from "../../../events/caller.ts";
import type { CustomField } from "../../custom-fields/custom-value.ts";
import { plainName } from "../../../kit/input/name.ts";
import { createCustomField, keyOfName } from "../../custom-fields/custom-field.service.ts";
import type { CustomFieldView } from "../../custom-fields/custom-field.view.ts";
import type { CustomFieldType } from "../../../vocabulary/custom-fields.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";

const prefix = "custom.";

/** The header of a column: `custom.plan`, so that no key is taken for a field of contacts. */
export function customHeader(key: string): string {
  return `${prefix}${key}`;
}

/**
 * Finds the field of a header: by its key with or without `custom.`, or by its name; case and spacing do not matter. One without letters and
 * digits is found by its whole name.
 */
export function createFieldFinder(defined: readonly CustomField[]): (header: string) => CustomField | undefined {
  // The first of several counts, and a key before a name.
  const named = [
    ...defined.map((field) => [field.key, field] as const),
    ...defined.map((field) => [field.name, field] as const),
  ];
  const fields = new Map(named.map(([name, field]) => [reduce(name) || name, field] as const).toReversed());
  return (header) => fields.get(reduce(withoutPrefix(header)) || plainName(header));
}

/** A header of our export names the key. */
function withoutPrefix(header: string): string {
  return header.trim().replace(/^custom\.(?=.)/i, "");
}

function reduce(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** A column without a field, and its first values. */
export interface UnknownColumn {
  readonly name: string;
  /** Its place in the file, from 0. */
  readonly index: number;
  readonly values: readonly string[];
}

export type CreatedField = Pick<CustomFieldView, "key" | "name" | "type">;

const number = /^[-+]?(0|[1-9]\d{0,14})(\.\d{1,10})?$/;
const words = new Set(["true", "false", "yes", "no"]);

/**
 * The type that all values fit. Digits with leading zeros are text, since they are codes; so is a choice of few words, whose options later rows may
 * add to.
 */
export function typeOfValues(values: readonly string[]): CustomFieldType {
  const all = (fits: (value: string) => boolean) => values.length > 0 && values.every(fits);
  if (all((value) => words.has(value.toLowerCase()))) return "boolean";
  if (all((value) => number.test(value))) return "number";
  if (all((value) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)))) return "date";
  if (all((value) => /^https?:\/\//i.test(value) && URL.canParse(value))) return "url";
  return values.some((value) => value.length > limits.customField.text || value.includes("\n")) ? "long_text" : "text";
}

/** What `createMissingFields` would create. A name without letters that make a key has the number of its column. */
export function toMissingFields(columns: readonly UnknownColumn[]): CreatedField[] {
  return columns.map(({ name: header, index, values }) => {
    // A header may have several lines, and characters that no name has.
    const name = withoutPrefix(plainName(header));
    const key = keyOfName(name) || `column_${index + 1}`;
    return { key, name: [...name].slice(0, limits.name).join("").trim(), type: typeOfValues(values) };
  });
}

/** Creates a custom field for each column. Refuses, on `create_fields`, more than a workspace can have. */
export async function createMissingFields(change: Change, columns: readonly UnknownColumn[]): Promise<void> {
  try {
    for (const field of toMissingFields(columns)) await createCustomField(change, { on: "contact", ...field });
  } catch (error) {
    throw error instanceof Invalid ? new Invalid({ create_fields: [error.message] }) : error;
  }
}
