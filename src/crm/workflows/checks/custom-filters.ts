/** Checks filters by custom fields (`custom.key`): the workspace defines the field, and its type takes the operator and the value. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { definedFields } from "../../custom-fields/custom-values.queries.ts";
import { faultOfCustomCondition, isCustomFilter } from "../../custom-fields/filters/custom-condition.ts";
import type { Condition } from "../../contacts/list/contact.filters.ts";
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
  const named = filters.flatMap(({ place, value }) => conditionsIn(value).map((condition) => ({ place, condition })));
  if (named.length === 0) return [];
  const defined = await definedFields(reader, "contact");
  return named.flatMap(({ place, condition }) => {
    const predicate = faultOfCustomCondition(condition, defined);
    return predicate === undefined ? [] : [{ place, predicate }];
  });
}

/** The conditions on custom fields; none of a filter that is missing or invalid, whose fault is another check's. */
function conditionsIn(filter: unknown): Condition[] {
  if (filter === undefined) return [];
  try {
    return readFilter(filter, "filter")
      .flat()
      .filter((one): one is Condition => "field" in one && isCustomFilter(one.field));
  } catch (error) {
    if (error instanceof Invalid) return [];
    throw error;
  }
}
