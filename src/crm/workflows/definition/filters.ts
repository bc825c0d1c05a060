/** Filters of workflows: conditions of the contact list, and of the run's context (`context.key`). */
import { showValue } from "../../../kit/input/shown-value.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { parseFilters } from "../../contacts/list/contact.filters.ts";
import type { Condition, OtherFields } from "../../contacts/list/contact.filters.ts";

type Scalar = string | number | boolean;

const operators = ["eq", "neq", "in", "nin", "is_null", "contains", "starts_with", "gt", "gte", "lt", "lte"] as const;

/** A condition of the context. `in` and `nin` have several values, `is_null` true or false, the others one. */
export interface ContextCondition {
  readonly path: readonly string[];
  readonly op: (typeof operators)[number];
  readonly values: readonly Scalar[];
}

/** All groups must match; a group matches if any of its conditions does. */
export type WorkflowFilter = readonly (readonly (Condition | ContextCondition)[])[];

const ofContext: OtherFields<ContextCondition> = {
  names: ["context.KEY"],
  read({ field, op, value }, refuse) {
    if (typeof field !== "string") return undefined;
    const [root, ...path] = field.split(".");
    if (root !== "context" || path.length === 0 || path.includes("")) return undefined;
    const operator = operators.find((known) => known === op);
    if (operator === undefined)
      return refuse(`compares ${field} by ${showValue(op)}; it takes ${operators.join(", ")}.`);
    if (operator === "is_null" && typeof value !== "boolean")
      return refuse(`compares ${field} by is_null with ${showValue(value)}; it takes true or false.`);
    if (operator === "in" || operator === "nin") {
      if (!Array.isArray(value) || value.length === 0 || value.length > limits.filterValues || !value.every(isScalar))
        refuse(
          `compares ${field} by ${operator}, which takes a list of 1 to ${limits.filterValues} texts, numbers or truth values.`,
        );
      return { path, op: operator, values: value as Scalar[] };
    }
    const isNothing = value === null || value === "";
    if (isNothing && (operator === "eq" || operator === "neq"))
      return { path, op: "is_null", values: [operator === "eq"] };
    if (!isScalar(value) || isNothing)
      return refuse(`compares ${field} with ${showValue(value)}; it takes a text, a number or a truth value.`);
    return { path, op: operator, values: [value] };
  },
};

/** Parses the filter of a node or a trigger. Refuses, with 422 on `place`, what the contact list refuses. */
export function readFilter(value: unknown, place: string): WorkflowFilter {
  return parseFilters(value, place, ofContext);
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
