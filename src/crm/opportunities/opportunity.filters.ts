/** Filters of opportunities by custom fields: few by the index of values, others in slices that a fair queue serves. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { readFilterText } from "../../kit/input/filter-groups.ts";
import { showValue } from "../../kit/input/shown-value.ts";
import type { ListFilter } from "../../storage/keyset/narrowed.ts";
import { createSliceQueue } from "../../storage/keyset/slices.ts";
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

/** Opportunities of one slice: one or two milliseconds. */
const slice = 1000;
/** Up to so many are found by the index of values. */
const mostFew = 1000;

const inFairQueue = createSliceQueue();

interface FilteredPage {
  /** Further conditions on `opportunities`. */
  readonly conditions: readonly ListFilter[];
  /** Ids below it; undefined for all. */
  readonly after: readonly [id: number] | undefined;
  readonly most: number;
  /** The select of a part of `opportunities`, newest first. */
  readonly show: (part: SqlText) => SqlText;
}

/** The next `most` opportunities that match, newest first. */
export async function findFiltered<Row extends { readonly id: number }>(
  reader: Reader<LocationContext>,
  filters: OpportunityFilters,
  { conditions, after: [from] = [Number.MAX_SAFE_INTEGER], most, show }: FilteredPage,
): Promise<Row[]> {
  const { text, params } = compile(filters, reader.location.id);
  const few = await findFew(reader, filters);
  const narrowed = joinSql(
    conditions.map((condition) => sql`${condition.text}`),
    " and ",
  );
  const source = sql`select * from opportunities where ${narrowed} and id < ?`;
  const read = (part: SqlText, rest: readonly Value[], count: number) =>
    reader.rowsOnce<Row>(
      show(sql`(select * from ${part} where ${text} order by id desc limit ${String(count)}) as opportunities`),
      [...rest, ...params],
    );
  const beginning = conditions.flatMap((condition) => [...condition.params]);
  if (few !== undefined) {
    const part = sql`(${source} and id in (${joinSql(
      few
        .map(String)
        .concat("0")
        .map((id) => sql`${id}`),
      ", ",
    )})) as opportunities`;
    return read(part, [...beginning, from], most);
  }
  return inFairQueue(queueKeyOf(reader), async (turn) => {
    const found: Row[] = [];
    for (let before: number | undefined = from; before !== undefined && found.length < most;) {
      const start: number = before;
      const part = sql`(${source} order by id desc limit ${String(slice)})`;
      found.push(
        ...(await turn(() => read(sql`${part} as opportunities`, [...beginning, start], most - found.length))),
      );
      const [end] = await turn(() =>
        reader.rowsOnce<{ last: number | null; count: number }>(
          sql`select min(id) as last, count(*) as count from ${part} as slice`,
          [...beginning, start],
        ),
      );
      before = Number(end!.count) < slice ? undefined : Number(end!.last);
    }
    return found;
  });
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
