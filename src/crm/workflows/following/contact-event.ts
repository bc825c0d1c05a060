/** Events of a location, and those about a contact in it: only the latter start or wake runs. */
import type { EventHead } from "../../../events/following/positioned-events.ts";

export interface LocatedEvent extends EventHead {
  readonly location_id: number;
}

export interface ContactEvent extends LocatedEvent {
  readonly contact_id: number;
}

export function isLocated(head: EventHead): head is LocatedEvent {
  return head.location_id !== null;
}

export function isOfContact(head: LocatedEvent): head is ContactEvent {
  return head.contact_id !== null;
}
