/**
 * The plan of a list: which index finds the matching contacts, and what scanning them costs. It decides speed alone: compileFilters
 * (contact.filters.sql.ts) says which contacts match.
 */
import { textKey } from "../../../kit/text-key.ts";
import { earliestTime } from "../../../kit/time/read-timestamp.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import type { AnyContactText, ContactText } from "../../contact-texts.ts";
import type { Value } from "../../../storage/value.ts";
import type { ColumnOf } from "./contact.filter-fields.ts";
import { isCustomFilter } from "../../custom-fields/filters/custom-condition.ts";
import { toContactText } from "./substring.ts";
import { compileFilters, compileTags, compileValues } from "./contact.filters.sql.ts";
import type { Conditions } from "./contact.filters.sql.ts";
import type { Condition, ContactFilters } from "./contact.filters.ts";

export interface ListPlan {
  /** Whether an e-mail address or phone number must match: then its index finds the few matching rows. */
  readonly byKey: boolean;
  /** Whether an index narrows the result to a few contacts, whatever the other conditions are. */
  readonly isFew: boolean;
  /** Whether an index in list order contains exactly the matching rows: then the page and the capped count are read at once. */
  readonly inOrder: boolean;
  /** The conditions that an index in list order answers, and so bound a scan of the list. They are part of `texts` as well. */
  readonly scanned: Conditions;
  /** Whether that is another index than the one of the whole list. */
  readonly isNarrowed: boolean;
  readonly cost: ReadCost;
  /** Whether this is one of the few common statements, worth caching as a prepared one. */
  readonly repeats: boolean;
}

/** The conditions of a list and its plan. */
export interface PlannedConditions extends Conditions {
  readonly plan: ListPlan;
  /** Whether a contact can begin or cease to match by nothing but a change that raises an event: all conditions search its own texts. */
  readonly followsEvents: boolean;
  /** Each matching contact contains one text of each group. */
  readonly searched: readonly AnyContactText[];
  /** Conditions on tags: each matching contact has a tag of each. */
  readonly tagged: readonly Conditions[];
  /** Conditions on custom values: each matching contact has a value of each. */
  readonly valued: readonly Conditions[];
  /** A JSON list of ids, if the matching contacts are among few. */
  readonly among?: string;
  /**
   * Whether it is read in slices. They follow an index in list order: SQLite would else find all contacts of a name or an address for each slice.
   */
  readonly inSlices?: boolean;
  /** The condition that an e-mail address or phone number matches, which is one of `texts`. Any number of contacts may share it. */
  readonly key?: Conditions | undefined;
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

/** Compiles and plans filters. Conditions that follow from them and narrow the scan are added. */
export function planFilters(filters: ContactFilters, columnOf: ColumnOf): PlannedConditions {
  const compiled = filters.map((group) => compileFilters([group], columnOf));
  const conjuncts = filters.flatMap((group) => (group.length === 1 ? group : []));
  const key = compiled[filters.findIndex((group) => group.length === 1 && group.every(isByKey))];
  const [ordered] = conjuncts.flatMap((condition) => toOrdered(condition) ?? []);
  const inOrder = filters.length === 1 && ordered !== undefined;
  const moments = conjuncts.filter(isSince).map(({ values }) => dayBefore(values[0] as Date));
  const since = moments.map(() => sql`contacts.last_activity_at >= ?`);
  return {
    texts: [...compiled.flatMap(({ texts }) => texts), ...since],
    params: [...compiled.flatMap(({ params }) => params), ...moments],
    searched: filters.flatMap((group, place) => {
      const found = group.flatMap((condition) => textOf(condition, columnOf) ?? []);
      if (found.length < group.length) return [];
      const { texts, params } = compiled[place]!;
      return [{ texts: found, condition: { text: texts[0]!, params } }];
    }),
    followsEvents: filters.flat().every((condition) => textOf(condition, columnOf) !== undefined),
    tagged: filters.flatMap((group) => compileTags(group, columnOf) ?? []),
    valued: filters.flatMap((group) => compileValues(group, columnOf) ?? []),
    key,
    plan: {
      byKey: key !== undefined,
      isFew: key !== undefined || conjuncts.some(isById),
      inOrder,
      isNarrowed: ordered !== undefined,
      scanned: {
        texts: ordered === undefined ? since : [ordered.text, ...since],
        params: ordered === undefined ? moments : [...ordered.params, ...moments],
      },
      cost: costOfFilters(filters, columnOf, inOrder),
      repeats: filters.length === 0 || isCommon(filters),
    },
  };
}

/** The text that the condition searches for, if the text index contains its column. */
function textOf({ field, op, values }: Condition, columnOf: ColumnOf): ContactText | undefined {
  if ((op !== "contains" && op !== "starts_with") || field === "tag" || isCustomFilter(field)) return undefined;
  const part = columnOf(field).part!;
  return "column" in part ? toContactText(op, part, values[0] as string) : undefined;
}

function costOfFilters(filters: ContactFilters, columnOf: ColumnOf, inOrder: boolean): ReadCost {
  let each = costs.entry;
  let parts = 0;
  let readsContact = false;
  for (const { field, op, values } of filters.flat()) {
    if (isCustomFilter(field)) {
      each += costs.tags;
      continue;
    }
    const isSubstring = op === "contains" || op === "starts_with";
    // The values of a tag can be names and ids; only names are compared with a column.
    const compared = field === "tag" ? values.filter((value) => typeof value === "string") : values;
    if (field === "tag") each += costs.tags;
    else readsContact ||= columnOf(field).isApart === true && !isSubstring;
    if (field === "tag" && (compared.length === 0 || op === "is_null")) continue;
    each += compared.length > 1 ? costs.values : costs.value;
    if (isSubstring) parts += 1;
  }
  return { each: readsContact && !inOrder ? each + costs.contact : each, parts };
}

/**
 * A single condition with a common operator gives one or two statements per field. Other filters give unlimited statements, whose best plan
 * depends on the values.
 */
function isCommon([group = [], ...others]: ContactFilters): boolean {
  return (
    others.length === 0 && group.length === 1 && commonOperators.has(group[0]!.op) && !isCustomFilter(group[0]!.field)
  );
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
