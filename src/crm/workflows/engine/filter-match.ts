/** Matches filters of workflows: conditions of the context in memory, conditions of the contact by the database. */
import type { LocationContext } from "../../../events/caller.ts";
import { fold } from "../../../kit/text.ts";
import type { Rows } from "../../../storage/rows.ts";
import { matchesContact } from "../../contacts/list/contact-match.ts";
import { valueAt } from "../walk/value-at.ts";
import type { Condition, ContactFilters } from "../../contacts/list/contact.filters.ts";
import { readFilter } from "../definition/filters.ts";
import type { ContextCondition, WorkflowFilter } from "../definition/filters.ts";

/** What a run was started with: the data of its trigger event, by name. */
export type RunContext = Readonly<Record<string, unknown>>;

/** `when`: a filter of a published definition, which is valid; `matches` judges the conditions of the contact. */
export async function matchesFilter<Reader extends Rows & { readonly location: LocationContext }>(
  reader: Reader,
  contactId: number,
  context: RunContext,
  when: unknown,
  matches: (reader: Reader, contactId: number, filters: ContactFilters) => Promise<boolean> = matchesContact,
): Promise<boolean> {
  const left = remainingConditions(when, context);
  if (left === undefined) return false;
  return left.length === 0 || matches(reader, contactId, left);
}

/** The conditions of the contact that decide; undefined if the filter cannot match in this context. */
export function remainingConditions(when: unknown, context: RunContext): ContactFilters | undefined {
  const left: Condition[][] = [];
  for (const group of filterOf(when)) {
    if (group.some((condition) => isOfContext(condition) && holdsInContext(condition, context))) continue;
    const ofContact = conditionsOfContact(group);
    if (ofContact.length === 0) return undefined;
    left.push(ofContact);
  }
  return left;
}

const ofContacts = new WeakMap<WorkflowFilter[number], Condition[]>();

/** The same list each time, as long as the filter is cached: runs whose filters are alike are judged together. */
function conditionsOfContact(group: WorkflowFilter[number]): Condition[] {
  let conditions = ofContacts.get(group);
  if (conditions === undefined) {
    conditions = group.filter((condition): condition is Condition => !isOfContext(condition));
    ofContacts.set(group, conditions);
  }
  return conditions;
}

const known = new WeakMap<object, WorkflowFilter>();

/** Parsed filters are cached as long as their definitions. */
export function filterOf(when: unknown): WorkflowFilter {
  let filter = known.get(when as object);
  if (filter === undefined) {
    filter = readFilter(when, "when");
    known.set(when as object, filter);
  }
  return filter;
}

export function isOfContext(condition: Condition | ContextCondition): condition is ContextCondition {
  return "path" in condition;
}

/** Texts are compared case-insensitively, as in the contact list. A missing member is null. */
export function holdsInContext(condition: ContextCondition, context: RunContext): boolean {
  const { path, op } = condition;
  const given = givenAt(context, path);
  const wanted = wantedOf(condition);
  const first = wanted[0] ?? null;
  switch (op) {
    case "is_null":
      return (given === null) === first;
    case "eq":
    case "in":
      return wanted.includes(given);
    case "neq":
    case "nin":
      return !wanted.includes(given);
    case "contains":
      return typeof given === "string" && given.includes(String(first));
    case "starts_with":
      return typeof given === "string" && given.startsWith(String(first));
    default:
      return isOrdered(op, given, first);
  }
}

type Comparable = string | number | boolean | null;

const comparables = new WeakMap<RunContext, Map<string, Comparable>>();

/** Memoized: folding a text as long as a context may be takes time. */
function givenAt(context: RunContext, path: readonly string[]): Comparable {
  const known = comparables.get(context) ?? new Map<string, Comparable>();
  comparables.set(context, known);
  const name = path.join(".");
  let given = known.get(name);
  if (given === undefined) known.set(name, (given = toComparable(valueAt(context, path))));
  return given;
}

const wanteds = new WeakMap<ContextCondition, readonly Comparable[]>();

function wantedOf(condition: ContextCondition): readonly Comparable[] {
  let wanted = wanteds.get(condition);
  if (wanted === undefined) wanteds.set(condition, (wanted = condition.values.map(toComparable)));
  return wanted;
}

function toComparable(value: unknown): Comparable {
  if (typeof value === "string") return value.trim() === "" ? null : fold(value.trim());
  return typeof value === "number" || typeof value === "boolean" ? value : null;
}

function isOrdered(op: "gt" | "gte" | "lt" | "lte", given: Comparable, wanted: Comparable): boolean {
  if (given === null || wanted === null || typeof given !== typeof wanted) return false;
  return { gt: given > wanted, gte: given >= wanted, lt: given < wanted, lte: given <= wanted }[op];
}
