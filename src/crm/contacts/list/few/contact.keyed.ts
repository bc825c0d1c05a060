/**
 * Contacts by an e-mail address or phone number, whose index finds them. Usually they are few; any number may share one, though, and then the list is
 * scanned instead.
 */
import { joinSql, sql } from "../../../../storage/sql-text.ts";
import type { SqlText } from "../../../../storage/sql-text.ts";
import { costs } from "../contact.list-plan.ts";
import type { PlannedConditions } from "../contact.list-plan.ts";
import { mostFoundFirst } from "./fewest-contacts.ts";

/** Whether the key is the only condition: then as many contacts as are found first tell whether more share it. */
export function isKeyAlone({ key, texts }: Pick<PlannedConditions, "key" | "texts">): boolean {
  return key !== undefined && texts.length === 1;
}

/** The table `contacts` of those that a key alone finds, one more than the most at the most. `conditions`: of the location, and of the key. */
export function contactsOfKey(conditions: readonly SqlText[]): SqlText {
  return sql`(select id, last_activity_at, created_at from contacts where ${joinSql(conditions, " and ")} limit ${mostFoundFirst + 1}) as contacts`;
}

/** The same conditions for a scan of the list. */
export function withoutKey(conditions: PlannedConditions): PlannedConditions {
  if (conditions.key === undefined) return conditions;
  const { each, parts } = conditions.plan.cost;
  // The list's index has no phone numbers.
  const cost = { each: each + costs.contact, parts };
  return { ...conditions, key: undefined, plan: { ...conditions.plan, byKey: false, isFew: false, cost } };
}
