/** Filters by custom fields: parses their conditions, and judges them against the definitions of the workspace. */
import type { Refuse } from "../../../kit/input/filter-groups.ts";
import { showValue } from "../../../kit/input/shown-value.ts";
import { customFieldKey } from "../../../vocabulary/custom-fields.ts";
import type { CustomFieldType } from "../../../vocabulary/custom-fields.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { isDate } from "../custom-value.ts";
import type { CustomField } from "../custom-value.ts";

/** A custom field by its key, such as `custom.plan`. */
export type CustomFilterField = `custom.${string}`;

export function isCustomFilter(field: string): field is CustomFilterField {
  return field.startsWith("custom.");
}

const operators = ["eq", "neq", "in", "nin", "is_null", "contains", "starts_with", "gt", "gte", "lt", "lte"] as const;

const ordering: ReadonlySet<string> = new Set(["gt", "gte", "lt", "lte"]);
const matching: ReadonlySet<string> = new Set(["contains", "starts_with"]);

type CustomScalar = string | number | boolean;

export interface CustomCondition {
  readonly field: CustomFilterField;
  readonly op: (typeof operators)[number];
  readonly values: readonly CustomScalar[];
}

/** Parses a condition; `refuse` throws its predicate. */
export function readCustomCondition(
  { field, op, value }: { readonly field: CustomFilterField; readonly op: unknown; readonly value: unknown },
  refuse: Refuse,
): CustomCondition {
  if (!customFieldKey.test(field.slice("custom.".length)))
    return refuse(`names the field ${showValue(field)}; a custom field is custom. and its key, such as custom.plan.`);
  const operator = operators.find((known) => known === op);
  if (operator === undefined) return refuse(`compares ${field} by ${showValue(op)}; it takes ${operators.join(", ")}.`);
  if (operator === "is_null") {
    if (typeof value !== "boolean")
      refuse(`compares ${field} by is_null with ${showValue(value)}; it takes true or false.`);
    return { field, op: operator, values: [value as boolean] };
  }
  if (operator === "in" || operator === "nin") {
    if (!Array.isArray(value) || value.length === 0 || value.length > limits.filterValues)
      return refuse(`compares ${field} by ${operator}, which takes a list of 1 to ${limits.filterValues} values.`);
    const values = value.map((one) => readScalar(one) ?? refuseValue(one));
    if (new Set(values.map((one) => typeof one)).size > 1)
      refuse(`compares ${field} by ${operator} with values of several types; they must have one.`);
    return { field, op: operator, values };
  }
  const isEmpty = value === null || (typeof value === "string" && value.trim() === "");
  if (isEmpty && (operator === "eq" || operator === "neq"))
    return { field, op: "is_null", values: [operator === "eq"] };
  const scalar = readScalar(value) ?? refuseValue(value);
  if (matching.has(operator) && typeof scalar !== "string") return refuseValue(value);
  if (ordering.has(operator) && typeof scalar === "boolean") return refuseValue(value);
  if (ordering.has(operator) && typeof scalar === "string" && !/^\d{4}-\d\d-\d\d$/.test(scalar))
    return refuse(
      `compares ${field} by ${operator} with ${showValue(value)}; it takes a number or a date such as 2026-03-01.`,
    );
  return { field, op: operator, values: [scalar] };

  function refuseValue(one: unknown): never {
    return refuse(`compares ${field} by ${operator!} with ${showValue(one)}, which it does not take.`);
  }
}

function readScalar(value: unknown): CustomScalar | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value.includes("\0") || !value.isWellFormed() || value.trim() === "")
    return undefined;
  return value.trim();
}

const textual = { takes: "text", kind: "string", matches: true, orders: false };
const numeric = { takes: "a number", kind: "number", matches: false, orders: true };

/** What conditions on a field of each type take. */
const comparable: Readonly<
  Record<
    CustomFieldType,
    { readonly takes: string; readonly kind: string; readonly matches: boolean; readonly orders: boolean }
  >
> = {
  text: textual,
  long_text: textual,
  url: textual,
  select: textual,
  multiselect: textual,
  number: numeric,
  money: { ...numeric, takes: "a number of cents" },
  date: { takes: "a date such as 2026-03-01", kind: "string", matches: false, orders: true },
  boolean: { takes: "true or false", kind: "boolean", matches: false, orders: false },
};

interface AnyCondition {
  readonly field: string;
  readonly op: string;
  readonly values: readonly unknown[];
}

/** The predicate of the fault of a condition: an unknown field, or an operator or a value that its type does not take; undefined without one. */
export function faultOfCustomCondition(
  { field, op, values }: AnyCondition,
  defined: readonly Pick<CustomField, "key" | "type">[],
): string | undefined {
  const found = defined.find(({ key }) => field === `custom.${key}`);
  if (found === undefined) {
    const known = defined.map(({ key }) => `custom.${key}`);
    const there = known.length === 0 ? "the workspace has defined no custom fields" : `there are ${known.join(", ")}`;
    return `names the custom field ${field}; ${there}.`;
  }
  if (op === "is_null") return undefined;
  const { takes, kind, matches, orders } = comparable[found.type];
  if ((matching.has(op) && !matches) || (ordering.has(op) && !orders))
    return `compares ${field} by ${op}, which a field of the type ${found.type} does not take.`;
  const other = values.find((value) => typeof value !== kind || (found.type === "date" && !isDate(value as string)));
  if (other === undefined) return undefined;
  return `compares ${field} with ${showValue(other)}; a field of the type ${found.type} takes ${takes}.`;
}

/** Refuses, on `filters`, conditions with a fault. Asks for the definitions if there are conditions on custom fields. */
export async function requireCustomConditions(
  conditions: readonly AnyCondition[],
  definitions: () => Promise<readonly CustomField[]>,
): Promise<void> {
  const custom = conditions.filter(({ field }) => isCustomFilter(field));
  if (custom.length === 0) return;
  const defined = await definitions();
  for (const condition of custom) {
    const fault = faultOfCustomCondition(condition, defined);
    if (fault !== undefined) throw new Invalid({ filters: [`The filters field ${fault}`] });
  }
}
