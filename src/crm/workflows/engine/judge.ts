/** Whether a filter holds for a contact, asked of the database, and the context of a run, which is at hand. */
import type { Place, Reader } from "../../../events/caller.ts";
import { fold } from "../../../kit/text.ts";
import { parseFilters } from "../../contacts/list/contact.filters.ts";
import type { ContactFilters } from "../../contacts/list/contact.filters.ts";
import { matchesContact } from "../../contacts/list/contact-match.ts";

type Context = Readonly<Record<string, unknown>>;

interface Condition {
  readonly field: string;
  readonly op: string;
  readonly value: unknown;
}

/** `when`: a filter of a definition that was published, and so reads. */
export async function judge(
  reader: Reader<Place>,
  contactId: number,
  context: Context,
  when: unknown,
): Promise<boolean> {
  const left = leftToAsk(when, context);
  if (left === undefined) return false;
  return left.length === 0 || matchesContact(reader, contactId, left);
}

/** What is left to be asked of the contact; undefined where the context decides that the filter does not hold. */
export function leftToAsk(when: unknown, context: Context): ContactFilters | undefined {
  const left: { any: readonly Condition[] }[] = [];
  for (const group of toGroups(when)) {
    const [ofContext, ofContact] = [group.filter(isOfContext), group.filter((condition) => !isOfContext(condition))];
    if (ofContext.some((condition) => holds(condition, context))) continue;
    if (ofContact.length === 0) return undefined;
    left.push({ any: ofContact });
  }
  return left.length === 0 ? [] : parseFilters(left, "when");
}

/** Every group must hold; a group holds when one of its conditions does. */
function toGroups(when: unknown): Condition[][] {
  const elements = Array.isArray(when) ? (when as unknown[]) : [when];
  return elements.flatMap((element): Condition[][] => {
    const object = element as Readonly<Record<string, unknown>>;
    if (Array.isArray(object["any"])) return [object["any"] as Condition[]];
    if (Array.isArray(when)) return [[element as Condition]];
    return Object.entries(object).map(([field, value]) => [{ field, op: "eq", value }]);
  });
}

const prefix = "context.";

function isOfContext({ field }: Condition): boolean {
  return field.startsWith(prefix);
}

/** Texts are compared as the contact list compares them, letter case aside. A member that is not there is null. */
function holds({ field, op, value }: Condition, context: Context): boolean {
  const given = toComparable(find(context, field.slice(prefix.length).split(".")));
  const wanted = (Array.isArray(value) ? (value as unknown[]) : [value]).map(toComparable);
  switch (op) {
    case "is_null":
      return (given === null) === wanted[0];
    case "eq":
    case "in":
      return wanted.includes(given);
    case "neq":
    case "nin":
      return !wanted.includes(given);
    case "contains":
      return typeof given === "string" && given.includes(String(wanted[0]));
    case "starts_with":
      return typeof given === "string" && given.startsWith(String(wanted[0]));
    default:
      return isOrdered(op, given, wanted[0] ?? null);
  }
}

type Comparable = string | number | boolean | null;

function toComparable(value: unknown): Comparable {
  if (typeof value === "string") return value.trim() === "" ? null : fold(value.trim());
  return typeof value === "number" || typeof value === "boolean" ? value : null;
}

function isOrdered(op: string, given: Comparable, wanted: Comparable): boolean {
  if (given === null || wanted === null || typeof given !== typeof wanted) return false;
  const isBetween = { gt: given > wanted, gte: given >= wanted, lt: given < wanted, lte: given <= wanted };
  return isBetween[op as keyof typeof isBetween];
}

function find(context: Context, path: readonly string[]): unknown {
  let value: unknown = context;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Context)[name];
  }
  return value;
}
