/** Columns that neighbours copy from their contact, updated with it. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { updateSearchKeys } from "../../conversations/conversation.search.ts";
import type { PlannedEvent } from "../write/contact.plan.ts";

/** The fields that neighbours copy. */
const copied = new Set(["first_name", "last_name", "email"]);

/** The contacts of a batch whose copied fields change. New contacts have no copies yet. */
export function contactsToCopy(steps: readonly PlannedEvent[]): number[] {
  const moved = new Set<number>();
  for (const step of steps) {
    if (step.event !== "contact.updated" || step.contact.id === undefined) continue;
    if (step.changes.some(({ field }) => copied.has(field))) moved.add(step.contact.id);
  }
  return [...moved];
}

/** Updates the copies. The contacts must be locked, and already updated. */
export async function updateCopies(change: Change<LocationContext>, contactIds: readonly number[]): Promise<void> {
  if (contactIds.length > 0) await updateSearchKeys(change, contactIds);
}
