/** The neighbours of contacts, each from its own folder: what the deletion of a contact, and a new name or e-mail address, does to them. */
import type { Change, LocationContext } from "../../events/caller.ts";
import type { ContactReference } from "../contact-activity.ts";
import type { ContactNeighbour } from "../contact-neighbour.ts";
import { conversationNeighbour } from "../conversations/conversation.neighbour.ts";
import { updateSearchKeys } from "../conversations/conversation.search.ts";
import { noteNeighbour } from "../notes/note.neighbour.ts";
import { opportunityNeighbour } from "../opportunities/opportunity.neighbour.ts";
import { tagNeighbour } from "../tags/tag.neighbour.ts";
import { taskNeighbour } from "../tasks/task.neighbour.ts";
import { workflowRunNeighbour } from "../workflow-runs/workflow-run.neighbour.ts";
import type { PlannedEvent } from "./write/contact.plan.ts";

/** The timeline. Defined here because the event log ranks below crm. Only retention removes events. */
const eventNeighbour: ContactNeighbour = { name: "events", columns: ["events.contact_id"], forget: "kept" };

/** In the order in which a deletion processes them. */
export const contactNeighbours: readonly ContactNeighbour[] = [
  workflowRunNeighbour,
  conversationNeighbour,
  opportunityNeighbour,
  taskNeighbour,
  noteNeighbour,
  tagNeighbour,
  eventNeighbour,
];

/** Updates the neighbours of a contact that is locked and already marked as deleted. */
export async function forgetContact(change: Change<LocationContext>, contact: ContactReference): Promise<void> {
  // Sequentially: keeps the lock order and the order of events.
  for (const { forget } of contactNeighbours) if (forget !== "kept") await forget(change, contact);
}

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
