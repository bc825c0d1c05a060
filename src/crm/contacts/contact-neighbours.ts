/** The one place that tells the neighbours of contacts, who keep copies of what a contact is called, that it moved. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { copyContactKeys } from "../conversations/conversation.search.ts";
import type { PlannedEvent } from "./write/contact.plan.ts";

/** What copies are made of. */
const copied = new Set(["first_name", "last_name", "email"]);

/** The contacts of which a batch changes what others keep copies of. A new contact has no neighbours yet. */
export function movedBy(steps: readonly PlannedEvent[]): number[] {
  const moved = new Set<number>();
  for (const step of steps) {
    if (step.event !== "contact.updated" || step.contact.id === undefined) continue;
    if (step.changes.some(({ field }) => copied.has(field))) moved.add(step.contact.id);
  }
  return [...moved];
}

/** Has the copies made anew; the contacts are held, and written or hidden already. */
export async function tellMoved(change: Change<LocationContext>, contactIds: readonly number[]): Promise<void> {
  if (contactIds.length > 0) await copyContactKeys(change, contactIds);
}
