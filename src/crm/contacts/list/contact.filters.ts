/** The `filters` parameter of the contact list: JSON in, checked conditions out; whatever is wrong is named. */
import { z } from "zod";
import { Invalid } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";

type Kind = "text" | "number" | "boolean" | "timestamp" | "tag";

/** Every field that can be asked for: the scalars of both shapes, and what makes lists worth keeping. */
const kinds = {
  id: "number",
  name: "text",
  first_name: "text",
  last_name: "text",
  email: "text",
  phone: "text",
  /** The name under which answers show it. */
  phone_display: "text",
  company: "text",
  source: "text",
  interest: "text",
  address1: "text",
  city: "text",
  state: "text",
  zip: "text",
  timezone: "text",
  external_ref: "text",
  dnd: "boolean",
  owner_user_id: "number",
  value_cents: "number",
  stage_id: "number",
  stage_kind: "text",
  has_open_task: "boolean",
  created_at: "timestamp",
  updated_at: "timestamp",
  last_activity_at: "timestamp",
  tag: "tag",
} as const satisfies Record<string, Kind>;

export type FilterField = keyof typeof kinds;

const equality = ["eq", "neq", "in", "nin", "is_null"] as const;
const matching = [...equality, "contains", "starts_with"] as const;
const ordering = [...equality, "gt", "gte", "lt", "lte"] as const;

export type Operator = (typeof matching)[number] | (typeof ordering)[number];

const operators: Readonly<Record<Kind, readonly Operator[]>> = {
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

/** Every group must hold; a group holds when one of its conditions does. */
export type ContactFilters = readonly (readonly Condition[])[];

/** The most values in one `in` or `nin`. */
const mostValues = 100;

const form =
  'must be JSON: a list of {"field", "op", "value"}, in which {"any": [ … ]} may stand for one of several, ' +
  'or an object such as {"city": "Boston"}.';

function refuse(predicate: string): never {
  throw new Invalid({ filters: [`The filters field ${predicate}`] });
}

/** Reads `filters`. Refuses with 422 on `filters`: another form, an unknown field or operator, a value of another kind. */
export function parseFilters(text: string): ContactFilters {
  const groups = toGroups(parseJson(text));
  if (groups.flat().length > limits.filterConditions) {
    refuse(`must not hold more than ${limits.filterConditions} conditions, those inside "any" included.`);
  }
  return groups;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse(form);
  }
}

function toGroups(filters: unknown): Condition[][] {
  if (Array.isArray(filters)) return filters.map((element) => toGroup(element) ?? [toCondition(element)]);
  if (!isObject(filters)) return refuse(form);
  const group = toGroup(filters);
  if (group !== undefined) return [group];
  return Object.entries(filters).map(([field, value]) => [toCondition({ field, op: "eq", value })]);
}

/** The conditions of `{"any": [ … ]}`; undefined for anything else. One level: a group holds conditions alone. */
function toGroup(element: unknown): Condition[] | undefined {
  if (!isObject(element) || !Object.hasOwn(element, "any")) return undefined;
  const { any, ...others } = element;
  if (!Array.isArray(any) || any.length === 0 || Object.keys(others).length > 0) {
    refuse('takes {"any": [ … ]} with at least one condition in the list and nothing beside it.');
  }
  return any.map((condition) => {
    if (isObject(condition) && Object.hasOwn(condition, "any"))
      refuse('takes one level of "any": the conditions in its list are {"field", "op", "value"}.');
    return toCondition(condition);
  });
}

function toCondition(element: unknown): Condition {
  if (!isObject(element)) return refuse(form);
  const { field, op, value, ...others } = element;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    refuse(`takes conditions of "field", "op" and "value"; ${shown(unknown)} is none of them.`);
  if (!isField(field)) return refuse(`names the field ${shown(field)}; there are ${Object.keys(kinds).join(", ")}.`);
  const kind = kinds[field];
  const operator = operators[kind].find((known) => known === op);
  if (operator === undefined)
    return refuse(`compares ${field} by ${shown(op)}; it takes ${operators[kind].join(", ")}.`);
  return { field, ...toComparison(field, kind, operator, value) };
}

function toComparison(field: FilterField, kind: Kind, op: Operator, value: unknown): Omit<Condition, "field"> {
  if (op === "is_null") {
    if (typeof value !== "boolean")
      refuse(`compares ${field} by is_null with ${shown(value)}; it takes true or false.`);
    return { op, values: [value] };
  }
  if (op === "in" || op === "nin") {
    if (!Array.isArray(value) || value.length === 0 || value.length > mostValues) {
      refuse(`compares ${field} by ${op}, which takes a list of 1 to ${mostValues} values.`);
    }
    return { op, values: value.map((one) => readers[kind](one) ?? refuseValue(field, kind, one)) };
  }
  // "" is what null is for a field that may be empty (see the input habits: "" becomes null).
  const isEmpty = value === null || (kind === "text" && typeof value === "string" && value.trim() === "");
  if (isEmpty && (op === "eq" || op === "neq")) return { op: "is_null", values: [op === "eq"] };
  return { op, values: [readers[kind](value) ?? refuseValue(field, kind, value)] };
}

const timestamp = z.iso.datetime({ offset: true, local: false });
/** The years that both databases and ISO 8601 write with four digits, in milliseconds. */
export const earliestTime = Date.parse("0001-01-01T00:00:00.000Z");
const latestTime = Date.parse("9999-12-31T23:59:59.999Z");

/** The value if it is one of the kind. */
const readers: Readonly<Record<Kind, (value: unknown) => FilterValue | undefined>> = {
  text: readText,
  number: (value) => (Number.isSafeInteger(value) ? (value as number) : undefined),
  boolean: (value) => (typeof value === "boolean" ? value : undefined),
  timestamp(value) {
    const parsed = timestamp.safeParse(value);
    const time = parsed.success ? Date.parse(parsed.data) : Number.NaN;
    return time >= earliestTime && time <= latestTime ? new Date(time) : undefined;
  },
  tag: (value) =>
    typeof value === "number" ? (Number.isSafeInteger(value) && value > 0 ? value : undefined) : readText(value),
};

function readText(value: unknown): string | undefined {
  if (typeof value !== "string" || value.includes("\0")) return undefined;
  return value.trim() === "" ? undefined : value.trim();
}

const accepted: Readonly<Record<Kind, string>> = {
  text: "text that is not empty and holds no NUL bytes",
  number: "a whole number",
  boolean: "true or false",
  timestamp: "a timestamp with an offset or Z, such as 2026-03-01T12:00:00Z",
  tag: "the name of a tag or its id",
};

function refuseValue(field: FilterField, kind: Kind, value: unknown): never {
  return refuse(`compares ${field} with ${shown(value)}; it takes ${accepted[kind]}.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isField(name: unknown): name is FilterField {
  return typeof name === "string" && Object.hasOwn(kinds, name);
}

/** What was sent, as far as it helps to find it. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
