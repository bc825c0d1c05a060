/** The grammar of filters: a list of conditions combined with AND, in which `{"any": [ … ]}` combines some with OR. */
import { Invalid } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { isObject } from "../json/json-object.ts";
import { showValue } from "./shown-value.ts";

/** Stops reading; `predicate` becomes the message of a 422. */
export type Refuse = (predicate: string) => never;

/** The members of a condition, unchecked. */
export type GivenCondition = Readonly<Record<"field" | "op" | "value", unknown>>;

/** Reads one condition. */
export type ReadCondition<Condition> = (given: GivenCondition, refuse: Refuse) => Condition;

const syntax =
  'must be JSON: a list of {"field", "op", "value"}, in which {"any": [ … ]} may stand for one of several, ' +
  'or an object such as {"city": "Boston"}.';

class FilterError extends Error {}

function refuse(predicate: string): never {
  throw new FilterError(predicate);
}

/**
 * Reads filters from a JSON value; refuses with 422 on `inputField`: wrong syntax, what `read` refuses, and too many
 * conditions. Conditions of a group are combined with OR, groups with AND.
 */
export function readFilterGroups<Condition>(
  value: unknown,
  inputField: string,
  read: ReadCondition<Condition>,
): Condition[][] {
  return withFieldError(inputField, () => toFilters(value, read));
}

/** The same from JSON text. */
export function readFilterText<Condition>(
  text: string,
  inputField: string,
  read: ReadCondition<Condition>,
): Condition[][] {
  return withFieldError(inputField, () => toFilters(parseJson(text), read));
}

function withFieldError<Result>(inputField: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw new Invalid({ [inputField]: [`The ${inputField.replaceAll("_", " ")} field ${error.message}`] });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse(syntax);
  }
}

function toFilters<Condition>(value: unknown, read: ReadCondition<Condition>): Condition[][] {
  const groups = toGroups(value, (element) => toCondition(element, read));
  if (groups.flat().length > limits.filterConditions) {
    refuse(`must not hold more than ${limits.filterConditions} conditions, those inside "any" included.`);
  }
  return groups;
}

function toGroups<Any>(filters: unknown, read: (element: unknown) => Any): Any[][] {
  if (Array.isArray(filters)) return filters.map((element) => toGroup(element, read) ?? [read(element)]);
  if (!isObject(filters)) return refuse(syntax);
  const group = toGroup(filters, read);
  if (group !== undefined) return [group];
  return Object.entries(filters).map(([field, value]) => [read({ field, op: "eq", value })]);
}

/** The conditions of `{"any": [ … ]}`; undefined for anything else. Groups cannot be nested. */
function toGroup<Any>(element: unknown, read: (element: unknown) => Any): Any[] | undefined {
  if (!isObject(element) || !Object.hasOwn(element, "any")) return undefined;
  const { any, ...others } = element;
  if (!Array.isArray(any) || any.length === 0 || Object.keys(others).length > 0) {
    refuse('takes {"any": [ … ]} with at least one condition in the list and nothing beside it.');
  }
  return any.map((condition) => {
    if (isObject(condition) && Object.hasOwn(condition, "any"))
      refuse('takes one level of "any": the conditions in its list are {"field", "op", "value"}.');
    return read(condition);
  });
}

function toCondition<Condition>(element: unknown, read: ReadCondition<Condition>): Condition {
  if (!isObject(element)) return refuse(syntax);
  const { field, op, value, ...more } = element;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined)
    refuse(`takes conditions of "field", "op" and "value"; ${showValue(unknown)} is none of them.`);
  return read({ field, op, value }, refuse);
}
