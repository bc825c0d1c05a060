/** An event about a contact in its location: only such an event starts or wakes a run. */
import type { EventHead } from "../../../events/following/positioned-events.ts";

export interface ContactEvent extends EventHead {
  readonly location_id: number;
  readonly contact_id: number;
}

export function isOfContact(head: EventHead): head is ContactEvent {
  return head.contact_id !== null && head.location_id !== null;
}
