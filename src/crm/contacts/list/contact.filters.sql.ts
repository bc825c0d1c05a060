/** Compiles validated filters to SQL, with the same result on both databases. Values are always bound as parameters. */
import { textKey } from "../../../kit/text-key.ts";
import { fold } from "../../../kit/text.ts";
import { joinSql, sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import type { Value } from "../../../storage/value.ts";
import { compileCustom, compileCustomMatch } from "../../custom-fields/filters/custom-condition.sql.ts";
import { isCustomFilter } from "../../custom-fields/filters/custom-condition.ts";
import type { ColumnOf, FilterColumn } from "./contact.filter-fields.ts";
import type { Condition, ContactFilters } from "./contact.filters.ts";
import { matchesSubstring } from "./substring.ts";

/** Conditions to combine with AND, and their parameters in the order of the placeholders. */
export interface Conditions {
  readonly texts: readonly SqlText[];
  readonly params: readonly Value[];
}

const comparisons = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

export function compileFilters(filters: ContactFilters, columnOf: ColumnOf): Conditions {
  const { params, compile } = createCompiler(columnOf);
  return { texts: filters.map((group) => sql`(${joinSql(group.map(compile), " or ")})`), params };
}

const positive: ReadonlySet<string> = new Set(["eq", "in", "contains", "starts_with"]);

/** The condition on `tags` that holds for at least one tag of each contact that matches `group`; undefined unless all its conditions require a tag. */
export function compileTags(group: readonly Condition[], columnOf: ColumnOf): Conditions | undefined {
  if (!group.every(({ field, op }) => field === "tag" && positive.has(op))) return undefined;
  const { params, compileTag } = createCompiler(columnOf);
  return { texts: [sql`(${joinSql(group.map(compileTag), " or ")})`], params };
}

/** The condition on `custom_values` that holds for a value of each contact that matches `group`; undefined unless all its conditions require a value. */
export function compileValues(group: readonly Condition[], columnOf: ColumnOf): Conditions | undefined {
  const params: Value[] = [];
  const bind = (value: Value) => {
    params.push(value);
    return sql`?`;
  };
  const texts: SqlText[] = [];
  for (const condition of group) {
    if (!isCustomFilter(condition.field)) return undefined;
    const text = compileCustomMatch(condition, columnOf(condition.field).custom!, bind);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return { texts: [sql`(${joinSql(texts, " or ")})`], params };
}

/** Collects the parameters of what it compiles, in this order. */
function createCompiler(columnOf: ColumnOf) {
  const params: Value[] = [];

  function bind(value: Value): SqlText {
    params.push(value);
    return sql`?`;
  }

  function compile(condition: Condition): SqlText {
    const { field, op, values } = condition;
    if (isCustomFilter(field)) return compileCustom(condition, columnOf(field).custom!, bind);
    if (field !== "tag") return compileColumn(condition, columnOf(field));
    if (op === "is_null") return sql`${values[0] === true ? "not " : ""}${appliedTag(sql`1 = 1`)}`;
    return sql`${op === "neq" || op === "nin" ? "not " : ""}${appliedTag(compileTag(condition))}`;
  }

  function compileColumn({ op, values }: Pick<Condition, "op" | "values">, found: FilterColumn): SqlText {
    const { column, keyOf, part } = found;
    const bindKeys = () =>
      joinSql(
        values.map((value) => bind(keyOf === undefined ? value : keyOf(value as string))),
        ", ",
      );
    if (found.isCondition === true && op === "eq") return sql`${values[0] === true ? "" : "not "}${column}`;
    switch (op) {
      case "is_null":
        return isEmpty(found, values[0] === true);
      case "eq":
      case "in":
        return sql`${column} in (${bindKeys()})`;
      case "neq":
      case "nin":
        return sql`(${column} is null or ${column} not in (${bindKeys()}))`;
      case "contains":
      case "starts_with":
        return matchesSubstring(op, part!, values[0] as string, bind);
      default:
        return sql`${column} ${comparisons[op]} ${bind(values[0]!)}`;
    }
  }

  /** The condition on a tag. The values can be names and ids of tags, mixed. */
  function compileTag({ op, values }: Condition): SqlText {
    const names = values.filter((value) => typeof value === "string");
    if (op === "contains" || op === "starts_with")
      return names.length === 0 ? sql`1 = 0` : compileColumn({ op, values: names }, tagName);
    const ids = values.filter((value) => typeof value === "number");
    const either = [
      ...(names.length === 0 ? [] : [compileColumn({ op: "in", values: names }, tagName)]),
      ...(ids.length === 0 ? [] : [sql`tags.id in (${joinSql(ids.map(bind), ", ")})`]),
    ];
    return sql`(${joinSql(either, " or ")})`;
  }

  return { params, compile, compileTag };
}

const tagName: FilterColumn = {
  column: "tags.name_key",
  keyOf: textKey,
  part: { key: sql`tags.name_key`, fold, inLong: (holds) => holds(sql`tags.long_key`) },
};

function isEmpty({ column, mayBeBlank }: FilterColumn, expected: boolean): SqlText {
  if (mayBeBlank !== true) return sql`${column} is ${expected ? "" : "not "}null`;
  return expected ? sql`(${column} is null or ${column} = '')` : sql`(${column} is not null and ${column} <> '')`;
}

function appliedTag(condition: SqlText): SqlText {
  return sql`exists (select 1 from contact_tags join tags on tags.id = contact_tags.tag_id
    where contact_tags.contact_id = contacts.id and ${condition})`;
}
