/** Filters in the words of a command line, as the API takes them: `city=Boston`, `updated_at:gt=2026-03-01T00:00:00Z`. */
import { filterKinds } from "./contact.filter-fields.ts";
import type { FilterField, Kind } from "./contact.filter-fields.ts";

export const acceptedFilterWords =
  "FIELD=VALUE, FIELD:OPERATOR=VALUE such as company:contains=engines or tag:in=VIP,lead, or the JSON of the API";

/** The conditions of one text; undefined for another form. What they ask for is judged where all filters are. */
export function readFilterWords(text: string): unknown[] | undefined {
  if (/^\s*[[{]/.test(text)) return readJson(text);
  const [, field, op = "eq", value] = /^\s*(\w+)(?::(\w+))?=([^]*)$/.exec(text) ?? [];
  if (field === undefined || value === undefined) return undefined;
  const kind = Object.hasOwn(filterKinds, field) ? filterKinds[field as FilterField] : "text";
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
  // Digits are the id of a tag, and may be the name of one.
  const either = values.flatMap((one) => (/^\d+$/.test(String(one)) ? [one, Number(one)] : [one]));
  return { field, op: { eq: "in", neq: "nin" }[op] ?? op, value: either };
}

/** What JSON would have; a text that is none of the kind stays what it is, and is refused by what it is. */
function toValue(kind: Kind, text: string): unknown {
  if ((kind === "number" || kind === "id") && /^-?\d+$/.test(text)) return Number(text);
  if (kind === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  return text === "" ? null : text;
}
