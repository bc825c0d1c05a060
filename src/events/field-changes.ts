/** Tells in which fields two states of a record differ. */
import type { FieldChange } from "./event-record.ts";

/**
 * Every field in which `after` differs from `before`, as timelines and webhooks show it; what `after` leaves out stays.
 * `shown`: each field as the API names it, and the property that shows it, in the order in which they are told.
 */
export function changesBetween<State extends object>(
  before: State,
  after: Partial<State>,
  shown: readonly (readonly [field: string, property: keyof State])[],
): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const [field, property] of shown) {
    const [old, value] = [before[property], after[property]];
    if (value !== undefined && value !== old) changes.push({ field, old, new: value });
  }
  return changes;
}
