/** The diff of two states of a record. */
import type { FieldChange } from "./event-record.ts";

/**
 * Every field in which `after` differs from `before`, as timelines and webhooks show it; fields absent from `after` are unchanged.
 * `shown`: API field names and the properties they show, in output order.
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
