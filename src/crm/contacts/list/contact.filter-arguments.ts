/** Parses filters from the command line into the form of the API: `city=Boston`, `updated_at:gt=2026-03-01T00:00:00Z`. */
import { readCustomCell } from "../../custom-fields/custom-cell.ts";
import type { CustomField } from "../../custom-fields/custom-value.ts";
import { isCustomFilter } from "../../custom-fields/filters/custom-condition.ts";
import { filterKinds } from "./contact.filter-fields.ts";
import type { Kind } from "./contact.filter-fields.ts";

export const filterArgumentForms =
  "FIELD=VALUE, FIELD:OPERATOR=VALUE such as company:contains=engines or tag:in=VIP,lead, or the JSON of the API";

type ConvertedField = Pick<CustomField, "key" | "type">;

/** The conditions of one argument; undefined if it cannot be parsed. `defined`: the custom fields, by whose types values are converted. Fields and values are validated later, with all filters. */
export function parseFilterArgument(text: string, defined: readonly ConvertedField[] = []): unknown[] | undefined {
  if (/^\s*[[{]/.test(text)) return readJson(text);
  const [, field, op = "eq", value] = /^\s*(\w+|custom\.\w+)(?::(\w+))?=([^]*)$/.exec(text) ?? [];
  if (field === undefined || value === undefined) return undefined;
  const kind = Object.hasOwn(filterKinds, field) ? filterKinds[field as keyof typeof filterKinds] : "text";
  if (isCustomFilter(field)) return [toCustomCondition({ field, op, value: value.trim() }, defined)];
  return [toCondition(field, kind, op, value.trim())];
}

function readJson(text: string): unknown[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (Array.isArray(value)) return value;
  const object = value as Record<string, unknown>;
  if ("any" in object || "field" in object) return [object];
  return Object.entries(object).map(([field, value]) => ({ field, op: "eq", value }));
}

function toCondition(field: string, kind: Kind, op: string, value: string): object {
  if (op === "is_null") return { field, op, value: toValue("boolean", value) };
  const isList = op === "in" || op === "nin";
  const values = (isList ? value.split(",") : [value]).map((one) => toValue(kind, one.trim()));
  if (kind !== "tag" || !values.some((one) => /^\d+$/.test(String(one)))) {
    return { field, op, value: isList ? values : values[0] };
  }
  // Digits can be the id of a tag, or its name.
  const either = values.flatMap((one) => (/^\d+$/.test(String(one)) ? [one, Number(one)] : [one]));
  return { field, op: { eq: "in", neq: "nin" }[op] ?? op, value: either };
}

/** Converts to the JSON type of the field; a text that cannot be converted stays a string, which validation then refuses. */
function toValue(kind: Kind, text: string): unknown {
  if ((kind === "number" || kind === "id") && /^-?\d+$/.test(text)) return Number(text);
  if (kind === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  return text === "" ? null : text;
}

/** Converted by the type of the field; of an unknown one it stays text, which validation refuses by name. */
function toCustomCondition(
  { field, op, value }: Readonly<Record<"field" | "op" | "value", string>>,
  defined: readonly ConvertedField[],
): object {
  const type = defined.find(({ key }) => field === `custom.${key}`)?.type ?? "text";
  const read = (text: string): unknown => {
    if (op === "is_null") return toValue("boolean", text);
    if (text === "") return null;
    // Each option of a multiselect is compared alone.
    return type === "multiselect" ? text : readCustomCell({ type }, text);
  };
  const isList = op === "in" || op === "nin";
  return { field, op, value: isList ? value.split(",").map((one) => read(one.trim())) : read(value) };
}
