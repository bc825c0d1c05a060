/** What is told when an event is recorded. */
import type { EventName } from "../vocabulary/events.ts";

/** One field that an update changed, as timelines and webhooks show it. */
export interface FieldChange {
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}

export interface EventRecord {
  readonly event: EventName;
  /** The record as the API shows it; `location_id` and `changes` are added. */
  readonly data: object;
  /** On whose timeline the event stands. */
  readonly contactId?: number;
  /** Where it happened, when that is not the location of the change. */
  readonly locationId?: number;
  readonly changes?: readonly FieldChange[];
}
