/** Filters by custom fields: parses their conditions. The type of a field is known only in its workspace; values carry their own. */
import { showValue } from "../../../../kit/input/shown-value.ts";
import { customFieldKey } from "../../../../vocabulary/custom-fields.ts";
import { limits } from "../../../../vocabulary/limits.ts";
import type { CustomFilterField } from "../contact.filter-fields.ts";

const operators = ["eq", "neq", "in", "nin", "is_null", "contains", "starts_with", "gt", "gte", "lt", "lte"] as const;

const ordering: ReadonlySet<string> = new Set(["gt", "gte", "lt", "lte"]);
const matching: ReadonlySet<string> = new Set(["contains", "starts_with"]);

type CustomScalar = string | number | boolean;

/** A condition of the contact list (contact.filters.ts). */
interface CustomCondition {
  readonly field: CustomFilterField;
  readonly op: (typeof operators)[number];
  readonly values: readonly CustomScalar[];
}

/** Parses a condition; `refuse` throws its predicate. */
export function readCustomCondition(
  { field, op, value }: { readonly field: CustomFilterField; readonly op: unknown; readonly value: unknown },
  refuse: (predicate: string) => never,
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
