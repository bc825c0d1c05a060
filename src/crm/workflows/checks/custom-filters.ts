/** Checks that the workspace has defined the custom fields that filters name (`custom.key`). */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { definedFields } from "../../custom-fields/custom-values.queries.ts";
import { isCustomFilter } from "../../contacts/list/contact.filter-fields.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import { readFilter } from "../definition/filters.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import type { Fault } from "./faults.ts";
import { fieldsIn } from "./node-fields.ts";

/** One statement if any filter names a custom field, or else none. */
export async function judgeCustomFilters(
  reader: Reader<LocationContext>,
  types: NodeTypes,
  definition: WorkflowDefinition,
): Promise<Fault[]> {
  const filters = [
    { place: "trigger.filter", value: definition.trigger?.filter },
    ...fieldsIn(types, definition, "filter"),
  ];
  const named = filters.flatMap(({ place, value }) => [...namesIn(value)].map((field) => ({ place, field })));
  if (named.length === 0) return [];
  const known = (await definedFields(reader)).map(({ key }) => `custom.${key}`);
  const there = known.length === 0 ? "the workspace has defined no custom fields" : `there are ${known.join(", ")}`;
  return named
    .filter(({ field }) => !known.includes(field))
    .map(({ place, field }) => ({ place, predicate: `names the custom field ${field}; ${there}.` }));
}

/** The custom fields of a filter, each once; none of one that is missing or invalid, whose fault is another check's. */
function namesIn(filter: unknown): ReadonlySet<string> {
  if (filter === undefined) return new Set();
  try {
    const conditions = readFilter(filter, "filter").flat();
    return new Set(conditions.flatMap((one) => ("field" in one && isCustomFilter(one.field) ? [one.field] : [])));
  } catch (error) {
    if (error instanceof Invalid) return new Set();
    throw error;
  }
}
