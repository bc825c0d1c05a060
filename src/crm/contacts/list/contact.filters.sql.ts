/** Compiles validated filters to SQL, with the same result on both databases. Values are always bound as parameters. */
import { textKey } from "../../../kit/text-key.ts";
import { fold } from "../../../kit/text.ts";
import { joinSql, sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import type { Value } from "../../../storage/value.ts";
import type { ColumnOf, FilterColumn } from "./contact.filter-fields.ts";
import { earliestTime } from "../../../kit/time/read-timestamp.ts";
import type { Condition, ContactFilters } from "./contact.filters.ts";
import { matchesSubstring } from "./substring.ts";

/** Conditions to combine with AND, and their parameters in the order of the placeholders. */
export interface Conditions {
  readonly texts: readonly SqlText[];
  readonly params: readonly Value[];
  /** Whether an e-mail address or phone number must match: then its index finds the few matching rows. */
  readonly byKey: boolean;
  /** Whether an index narrows the result to a few contacts, whatever the other conditions are. */
  readonly isFew: boolean;
  /** Whether an index in list order contains exactly the matching rows: then the page and the capped count are read at once. */
  readonly inOrder: boolean;
  /** The conditions that an index in list order answers, and so bound a scan of the list. They are part of `texts` as well. */
  readonly scanned: { readonly texts: readonly SqlText[]; readonly params: readonly Value[] };
  readonly cost: ReadCost;
  /** Whether this is one of the few common statements, worth caching as a prepared one. */
  readonly repeats: boolean;
}

/** The estimated cost of scanning contacts, in units of about 0.1 µs. */
export interface ReadCost {
  /** Per contact. */
  readonly each: number;
  /** The number of substring conditions. */
  readonly parts: number;
}

/** The cost of an index entry, a value in it, a list of values, the row itself, and its tags; measured on SQLite. */
export const costs = { entry: 1, value: 0.3, values: 3, contact: 20, tags: 8 };

const commonOperators: ReadonlySet<string> = new Set(["eq", "contains", "starts_with"]);

const comparisons = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

export function compileFilters(filters: ContactFilters, columnOf: ColumnOf): Conditions {
  const params: Value[] = [];
  let each = costs.entry;
  let parts = 0;
  let readsContact = false;

  function bind(value: Value): SqlText {
    params.push(value);
    return sql`?`;
  }

  function compile(condition: Condition): SqlText {
    return condition.field === "tag" ? compileTag(condition) : compileColumn(condition, columnOf(condition.field));
  }

  function compileColumn({ op, values }: Pick<Condition, "op" | "values">, found: FilterColumn): SqlText {
    const { column, keyOf, part } = found;
    each += values.length > 1 ? costs.values : costs.value;
    readsContact ||= found.isApart === true && op !== "contains" && op !== "starts_with";
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
        parts += 1;
        return matchesSubstring(op, part!, values[0] as string, bind);
      default:
        return sql`${column} ${comparisons[op]} ${bind(values[0]!)}`;
    }
  }

  /** The values can be names and ids of tags, mixed. */
  function compileTag({ op, values }: Condition): SqlText {
    each += costs.tags;
    if (op === "is_null") return sql`${values[0] === true ? "not " : ""}${appliedTag(sql`1 = 1`)}`;
    const names = values.filter((value) => typeof value === "string");
    if (op === "contains" || op === "starts_with") {
      return appliedTag(names.length === 0 ? sql`1 = 0` : compileColumn({ op, values: names }, tagName));
    }
    const ids = values.filter((value) => typeof value === "number");
    const either = [
      ...(names.length === 0 ? [] : [compileColumn({ op: "in", values: names }, tagName)]),
      ...(ids.length === 0 ? [] : [sql`tags.id in (${joinSql(ids.map(bind), ", ")})`]),
    ];
    return sql`${op === "neq" || op === "nin" ? "not " : ""}${appliedTag(sql`(${joinSql(either, " or ")})`)}`;
  }

  const conjuncts = filters.flatMap((group) => (group.length === 1 ? group : []));
  const texts = filters.map((group) => sql`(${joinSql(group.map(compile), " or ")})`);
  const byKey = conjuncts.some(isByKey);
  const [ordered] = conjuncts.flatMap((condition) => toOrdered(condition) ?? []);
  const inOrder = filters.length === 1 && ordered !== undefined;
  if (readsContact && !inOrder) each += costs.contact;
  const scanned: { texts: SqlText[]; params: Value[] } = { texts: [], params: [] };
  if (ordered !== undefined) {
    scanned.texts.push(ordered.text);
    scanned.params.push(...ordered.params);
  }
  for (const since of conjuncts.filter(isSince)) {
    const moment = dayBefore(since.values[0] as Date);
    texts.push(sql`contacts.last_activity_at >= ${bind(moment)}`);
    scanned.texts.push(sql`contacts.last_activity_at >= ?`);
    scanned.params.push(moment);
  }
  return {
    texts,
    params,
    byKey,
    isFew: byKey || conjuncts.some(isById),
    inOrder,
    scanned,
    cost: { each, parts },
    repeats: filters.length === 0 || isCommon(filters),
  };
}

const tagName: FilterColumn = {
  column: "tags.name_key",
  keyOf: textKey,
  part: { key: sql`tags.name_key`, fold, inLong: (holds) => holds(sql`tags.long_key`) },
};

/**
 * A single condition with a common operator gives one or two statements per field. Other filters give unlimited statements, whose best plan
 * depends on the values.
 */
function isCommon([group = [], ...others]: ContactFilters): boolean {
  return others.length === 0 && group.length === 1 && commonOperators.has(group[0]!.op);
}

function isByKey({ field, op }: Condition): boolean {
  return (field === "email" || field === "phone" || field === "phone_display") && (op === "eq" || op === "in");
}

function isById({ field, op }: Condition): boolean {
  return field === "id" && (op === "eq" || op === "in");
}

/** The conditions with an index in list order: owner, stage, and open tasks. */
function toOrdered({ field, op, values }: Condition): { text: SqlText; params: Value[] } | undefined {
  const [value] = values;
  if (op !== "eq" || value === undefined) return undefined;
  switch (field) {
    case "owner_user_id":
      return { text: sql`contacts.owner_id = ?`, params: [value] };
    case "stage_id":
      return { text: sql`contacts.stage_id = ?`, params: [value] };
    case "stage_kind":
      return { text: sql`contacts.stage_kind = ?`, params: [textKey(value as string)] };
    case "has_open_task":
      return value === true ? { text: sql`contacts.next_task_id is not null`, params: [] } : undefined;
    default:
      return undefined;
  }
}

/** Whether the condition sets a lower bound on created_at or updated_at. */
function isSince({ field, op }: Condition): boolean {
  return (field === "created_at" || field === "updated_at") && (op === "gt" || op === "gte");
}

/**
 * A contact that was created or updated since then also has its last activity since then, so only the head of the list is scanned. One day
 * of tolerance covers clock skew between machines.
 */
function dayBefore(time: Date): Date {
  return new Date(Math.max(time.getTime() - 86_400_000, earliestTime));
}

function isEmpty({ column, mayBeBlank }: FilterColumn, expected: boolean): SqlText {
  if (mayBeBlank !== true) return sql`${column} is ${expected ? "" : "not "}null`;
  return expected ? sql`(${column} is null or ${column} = '')` : sql`(${column} is not null and ${column} <> '')`;
}

function appliedTag(condition: SqlText): SqlText {
  return sql`exists (select 1 from contact_tags join tags on tags.id = contact_tags.tag_id
    where contact_tags.contact_id = contacts.id and ${condition})`;
}
