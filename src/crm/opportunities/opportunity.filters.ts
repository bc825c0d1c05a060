/** Filters of opportunities by custom fields, as conditions of their list: few are found by the index of values. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { readFilterText } from "../../kit/input/filter-groups.ts";
import { showValue } from "../../kit/input/shown-value.ts";
import { listed } from "../../storage/json.ts";
import type { ListFilter } from "../../storage/keyset/narrowed.ts";
import { joinSql, sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import type { Value } from "../../storage/value.ts";
import { definedFields } from "../custom-fields/custom-values.queries.ts";
import {
  isCustomFilter,
  readCustomCondition,
  requireCustomConditions,
} from "../custom-fields/filters/custom-condition.ts";
import type { CustomCondition } from "../custom-fields/filters/custom-condition.ts";
import { compileCustom, compileCustomMatch } from "../custom-fields/filters/custom-condition.sql.ts";
import type { CustomColumn } from "../custom-fields/filters/custom-condition.sql.ts";

/** Groups are combined with AND, the conditions of a group with OR. */
export type OpportunityFilters = readonly (readonly CustomCondition[])[];

/** Reads the query parameter `filters`. Refuses with 422 what is not a filter by custom fields of opportunities, and fields that are not defined. */
export async function readOpportunityFilters(
  reader: Reader<LocationContext>,
  text: string | undefined,
): Promise<OpportunityFilters> {
  if (text === undefined) return [];
  const filters = readFilterText(text, "filters", ({ field, op, value }, refuse) =>
    typeof field === "string" && isCustomFilter(field)
      ? readCustomCondition({ field, op, value }, refuse)
      : refuse(`names the field ${showValue(field)}; it takes custom. and the key of a custom field of opportunities.`),
  );
  await requireCustomConditions(filters.flat(), () => definedFields(reader, "opportunity"));
  return filters;
}

/** Up to so many are found by the index of values: not more than a slice of the list. */
export const mostFew = 1000;

/** The filters, and the ids of all opportunities that may match if these are few. */
export async function conditionsOfFilters(
  reader: Reader<LocationContext>,
  filters: OpportunityFilters,
): Promise<ListFilter[]> {
  if (filters.length === 0) return [];
  const few = await findFew(reader, filters);
  return [
    ...(few === undefined
      ? []
      : [{ text: sql`opportunities.id in ${listed}`, params: [JSON.stringify(few)], index: "other" as const }]),
    { ...compile(filters, reader.location.id), index: "none" },
  ];
}

function compile(
  filters: OpportunityFilters,
  locationId: number,
): { readonly text: SqlText; readonly params: Value[] } {
  const params: Value[] = [];
  const bind = binder(params);
  const groups = filters.map((group) => {
    const conditions = group.map((condition) => compileCustom(condition, columnOf(condition, locationId), bind));
    return sql`(${joinSql(conditions, " or ")})`;
  });
  return { text: groups.length === 0 ? sql`1 = 1` : joinSql(groups, " and "), params };
}

/** The ids of all opportunities that may match, if the values of a group are few; undefined otherwise. */
async function findFew(reader: Reader<LocationContext>, filters: OpportunityFilters): Promise<number[] | undefined> {
  for (const group of filters) {
    const params: Value[] = [];
    const bind = binder(params);
    const matches = group.map((one) => compileCustomMatch(one, columnOf(one, reader.location.id), bind));
    const texts = matches.filter((match) => match !== undefined);
    if (texts.length < matches.length || group.some(({ op }) => op === "contains")) continue;
    const found = await reader.rowsOnce<{ id: number }>(
      sql`select opportunity_id as id from opportunity_values where ${joinSql(texts, " or ")} limit ${String(mostFew + 1)}`,
      params,
    );
    if (found.length <= mostFew) return found.map(({ id }) => id);
  }
  return undefined;
}

function columnOf({ field }: CustomCondition, locationId: number): CustomColumn {
  return { subject: "opportunity", key: field.slice("custom.".length), locationId };
}

function binder(params: Value[]): (value: Value) => SqlText {
  return (value) => {
    params.push(value);
    return sql`?`;
  };
}
