/** Checked conditions as SQL over `contacts`, the same rows on both databases. Values travel as parameters alone. */
import { fold } from "../../../kit/text.ts";
import { joinSql, sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import { contains, startsWith } from "../../../storage/text-matching.ts";
import type { Value } from "../../../storage/rows.ts";
import type { ColumnOf, FilterColumn, TextForm } from "./contact.filter-fields.ts";
import { earliestTime } from "./contact.filters.ts";
import type { Condition, ContactFilters } from "./contact.filters.ts";

/** Conditions that must all hold, and their parameters in the order of their question marks. */
export interface Conditions {
  readonly texts: readonly SqlText[];
  readonly params: readonly Value[];
  /** Whether an e-mail address or a phone number is asked for: then its index finds the few rows that there are. */
  readonly byKey: boolean;
  /** Whether this is one of the few texts that are asked for again and again: then its statement is worth keeping. */
  readonly repeats: boolean;
}

const comparisons = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

export function compileFilters(filters: ContactFilters, columnOf: ColumnOf): Conditions {
  const params: Value[] = [];

  /** One question mark, or a form of it, for each value. */
  function bind(values: readonly Value[], placeholder: SqlText = sql`?`): SqlText {
    params.push(...values);
    return joinSql(
      values.map(() => placeholder),
      ", ",
    );
  }

  function compile(condition: Condition): SqlText {
    const { field, op, values } = condition;
    if (field === "tag") return compileTag(condition);
    const found = columnOf(field);
    if (op === "is_null") return isEmpty(found, values[0] === true);
    const { column, whole, part } = found;
    const form = op === "contains" || op === "starts_with" ? part : whole;
    if (form !== undefined) return compileText(form, condition);
    switch (op) {
      case "eq":
      case "in":
        return sql`${column} in (${bind(values)})`;
      case "neq":
      case "nin":
        return sql`(${column} is null or ${column} not in (${bind(values)}))`;
      default:
        return sql`${column} ${comparisons[op as keyof typeof comparisons]} ${bind(values)}`;
    }
  }

  function compileText({ column, placeholder, toParam }: TextForm, { op, values }: Condition): SqlText {
    const bound = bind(
      values.map((value) => toParam(value as string)),
      placeholder,
    );
    switch (op) {
      case "contains":
        return contains(column, bound);
      case "starts_with":
        return startsWith(column, bound);
      case "neq":
      case "nin":
        return sql`(${column} is null or ${column} not in (${bound}))`;
      default:
        return sql`${column} in (${bound})`;
    }
  }

  /** Names and ids of tags may stand side by side. */
  function compileTag({ op, values }: Condition): SqlText {
    if (op === "is_null") return sql`${values[0] === true ? "not " : ""}${appliedTag(sql`1 = 1`)}`;
    const names = values.filter((value) => typeof value === "string");
    const form: TextForm = { column: sql`tags.name_key`, placeholder: sql`?`, toParam: fold };
    if (op === "contains" || op === "starts_with") {
      return appliedTag(names.length === 0 ? sql`1 = 0` : compileText(form, { field: "tag", op, values: names }));
    }
    const ids = values.filter((value) => typeof value === "number");
    const either = [
      ...(names.length === 0 ? [] : [compileText(form, { field: "tag", op: "in", values: names })]),
      ...(ids.length === 0 ? [] : [sql`tags.id in (${bind(ids)})`]),
    ];
    return sql`${op === "neq" || op === "nin" ? "not " : ""}${appliedTag(sql`(${joinSql(either, " or ")})`)}`;
  }

  const texts = filters.map((group) => sql`(${joinSql(group.map(compile), " or ")})`);
  const alone = filters.flatMap((group) => (group.length === 1 ? group : []));
  for (const since of alone.filter(isSince))
    texts.push(sql`contacts.last_activity_at >= ${bind([dayBefore(since.values[0] as Date)])}`);
  return { texts, params, byKey: alone.some(isByKey), repeats: filters.length === 0 || isOneEquality(filters) };
}

/** Each field makes one such text. Of other filters there is no end, and what is best for them depends on their values. */
function isOneEquality([group = [], ...others]: ContactFilters): boolean {
  return others.length === 0 && group.length === 1 && group[0]!.op === "eq";
}

function isByKey({ field, op }: Condition): boolean {
  return (field === "email" || field === "phone" || field === "phone_display") && (op === "eq" || op === "in");
}

/** Whether only contacts since some moment are asked for. */
function isSince({ field, op }: Condition): boolean {
  return (field === "created_at" || field === "updated_at") && (op === "gt" || op === "gte");
}

/**
 * A contact that came or changed since then is active since then, so only the head of the list need be looked at. A day
 * forgives whatever two machines' clocks disagree about.
 */
function dayBefore(time: Date): Date {
  return new Date(Math.max(time.getTime() - 86_400_000, earliestTime));
}

function isEmpty({ column, mayBeBlank }: FilterColumn, wanted: boolean): SqlText {
  if (mayBeBlank !== true) return sql`${column} is ${wanted ? "" : "not "}null`;
  return wanted ? sql`(${column} is null or ${column} = '')` : sql`(${column} is not null and ${column} <> '')`;
}

function appliedTag(condition: SqlText): SqlText {
  return sql`exists (select 1 from contact_tags join tags on tags.id = contact_tags.tag_id
    where contact_tags.contact_id = contacts.id and ${condition})`;
}
