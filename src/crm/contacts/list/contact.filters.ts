/** Parses and validates filters of contacts: JSON to conditions. Errors name the invalid part. */
import { readFilterGroups, readFilterText } from "../../../kit/input/filter-groups.ts";
import type { GivenCondition, Refuse } from "../../../kit/input/filter-groups.ts";
import { toId } from "../../../kit/input/id.ts";
import { showValue } from "../../../kit/input/shown-value.ts";
import { readTimestamp } from "../../../kit/time/read-timestamp.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { isCustomFilter, readCustomCondition } from "../../custom-fields/filters/custom-condition.ts";
import { filterKinds } from "./contact.filter-fields.ts";
import type { FilterField, Kind } from "./contact.filter-fields.ts";

const equality = ["eq", "neq", "in", "nin", "is_null"] as const;
const matching = [...equality, "contains", "starts_with"] as const;
const ordering = [...equality, "gt", "gte", "lt", "lte"] as const;

type Operator = (typeof matching)[number] | (typeof ordering)[number];

/** The operators of each field type. */
export const operators: Readonly<Record<Kind, readonly Operator[]>> = {
  id: ordering,
  text: matching,
  number: ordering,
  boolean: equality,
  timestamp: ordering,
  tag: matching,
};

/** Texts are trimmed and not empty; a tag is a name or an id. */
type FilterValue = string | number | boolean | Date;

/** One condition. `in` and `nin` carry several values, `is_null` true or false, the others one value. */
export interface Condition {
  readonly field: FilterField;
  readonly op: Operator;
  readonly values: readonly FilterValue[];
}

/** Conjunctive normal syntax: groups are combined with AND, the conditions of a group with OR. */
export type ContactFilters = readonly (readonly Condition[])[];

/** Parses the JSON text of the query parameter `filters`. Refuses like parseFilters. */
export function parseFilterText(text: string): ContactFilters {
  return readFilterText(text, "filters", (given, refuse) => toCondition(given, noOthers, refuse));
}

/** Further fields besides those of contacts. `read` parses a condition; it reports errors by `refuse`, and returns undefined for unknown fields. */
export interface OtherFields<Other> {
  readonly read: (condition: GivenCondition, refuse: Refuse) => Other | undefined;
  /** The field names, for the error about an unknown field. */
  readonly names: readonly string[];
}

const noOthers: OtherFields<never> = { read: () => undefined, names: [] };

/**
 * Parses filters given as a JSON value; `others` adds further fields. Refuses with 422 on `inputField`: wrong syntax, an unknown field or operator,
 * a value of the wrong type, and too many conditions.
 */
export function parseFilters<Other = never>(
  value: unknown,
  inputField: string,
  others: OtherFields<Other> = noOthers,
): (Condition | Other)[][] {
  return readFilterGroups(value, inputField, (given, refuse) => toCondition(given, others, refuse));
}

function toCondition<Other>(given: GivenCondition, others: OtherFields<Other>, refuse: Refuse): Condition | Other {
  const { field, op, value } = given;
  if (typeof field === "string" && isCustomFilter(field)) return readCustomCondition({ field, op, value }, refuse);
  if (!isField(field)) {
    const names = [...Object.keys(filterKinds), "custom.key", ...others.names];
    return others.read(given, refuse) ?? refuse(`names the field ${showValue(field)}; there are ${names.join(", ")}.`);
  }
  const kind = filterKinds[field];
  const operator = operators[kind].find((known) => known === op);
  if (operator === undefined)
    return refuse(`compares ${field} by ${showValue(op)}; it takes ${operators[kind].join(", ")}.`);
  return { field, ...toComparison({ field, kind, op: operator, value }, refuse) };
}

interface Comparison {
  readonly field: FilterField;
  readonly kind: Kind;
  readonly op: Operator;
  readonly value: unknown;
}

function toComparison({ field, kind, op, value }: Comparison, refuse: Refuse): Omit<Condition, "field"> {
  const readValue = (one: unknown): FilterValue =>
    parsers[kind](one) ?? refuse(`compares ${field} with ${showValue(one)}; it takes ${accepted[kind]}.`);
  if (op === "is_null") {
    if (typeof value !== "boolean")
      refuse(`compares ${field} by is_null with ${showValue(value)}; it takes true or false.`);
    return { op, values: [value] };
  }
  if (op === "in" || op === "nin") {
    if (!Array.isArray(value) || value.length === 0 || value.length > limits.filterValues) {
      refuse(`compares ${field} by ${op}, which takes a list of 1 to ${limits.filterValues} values.`);
    }
    return { op, values: value.map(readValue) };
  }
  // "" means null here, as in all input of nullable fields.
  const isEmpty = value === null || (kind === "text" && typeof value === "string" && value.trim() === "");
  if (isEmpty && (op === "eq" || op === "neq")) return { op: "is_null", values: [op === "eq"] };
  return { op, values: [readValue(value)] };
}

/** Parses a value of each type; undefined if it is invalid. */
const parsers: Readonly<Record<Kind, (value: unknown) => FilterValue | undefined>> = {
  // Any whole number is allowed, as in "greater than 0"; form tools send digits as strings.
  id: (value) => (typeof value === "string" ? toId(value) : readNumber(value)),
  text: readText,
  number: readNumber,
  boolean: (value) => (typeof value === "boolean" ? value : undefined),
  timestamp: (value) => (typeof value === "string" ? readTimestamp(value) : undefined),
  tag: (value) =>
    typeof value === "number" ? (Number.isSafeInteger(value) && value > 0 ? value : undefined) : readText(value),
};

function readNumber(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

function readText(value: unknown): string | undefined {
  // Lone surrogates and NUL are rejected: the databases would treat them differently.
  if (typeof value !== "string" || value.includes("\0") || !value.isWellFormed()) return undefined;
  return value.trim() === "" ? undefined : value.trim();
}

const accepted: Readonly<Record<Kind, string>> = {
  id: "a whole number",
  text: "text that is not empty, valid Unicode and with no NUL bytes",
  number: "a whole number",
  boolean: "true or false",
  timestamp: "a timestamp with an offset or Z, such as 2026-03-01T12:00:00Z",
  tag: "the name of a tag or its id",
};

function isField(name: unknown): name is keyof typeof filterKinds {
  return typeof name === "string" && Object.hasOwn(filterKinds, name);
}
