/** Validates what is common to the arguments of all tools. */
import { isObject } from "../kit/json/json-object.ts";
import { nearest } from "../kit/nearest.ts";
import { Invalid } from "../vocabulary/errors.ts";
import type { FieldErrors } from "../vocabulary/errors.ts";
import type { ToolArguments } from "./agent-tool.ts";
import { pageLimit } from "./tool-limits.ts";

/** Maximum number of unknown names reported, and their maximum length. */
const mostNamed = 20;
const longestName = 64;

/** Refuses arguments that the tool does not have: an agent that misspells a filter must not get everything. */
export function requireKnown(given: ToolArguments, known: ReadonlySet<string>): void {
  const errors: FieldErrors = {};
  for (const name of Object.keys(given)) {
    if (known.has(name)) continue;
    const shown = name.slice(0, longestName);
    const meant = name.length > longestName ? undefined : nearest(name, known);
    errors[shown] = [`There is no argument ${shown}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`];
    if (Object.keys(errors).length === mostNamed) break;
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
}

/** Refuses a call without the ids that its path needs: unlike an address, arguments can leave them out. */
export function requireGiven(given: ToolArguments, names: readonly string[]): void {
  const missing = names.filter((name) => given[name] === undefined || given[name] === null);
  if (missing.length === 0) return;
  throw new Invalid(
    Object.fromEntries(missing.map((name) => [name, [`The ${name.replaceAll("_", " ")} field is required.`]])),
  );
}

/** The most items of a page. */
export function readLimit(value: unknown): number {
  if (value === undefined || value === null) return pageLimit.standard;
  const isInRange = typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= pageLimit.most;
  if (isInRange) return value;
  throw new Invalid({ limit: [`The limit field must be an integer from 1 to ${pageLimit.most}.`] });
}

/** The arguments of a call: an object, or none. Refuses everything else. */
export function readArguments(value: unknown): ToolArguments {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new Invalid({ arguments: ["The arguments must be an object."] });
  return value;
}
