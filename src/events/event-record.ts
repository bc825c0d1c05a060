/** The types of an event to be recorded. */
import type { EventName } from "../vocabulary/events.ts";
import type { Actor } from "./actor.ts";

/** The cause of a change that no request made: a workflow run, and the length of the chain of runs that led to it. */
export interface Cause {
  readonly runId: number;
  readonly depth: number;
}

/** The cause of events: a run, or an import, whose events start no workflow unless its trigger says so. */
export type EventCause = Cause | "import";

/** One field that an update changed, as timelines and webhooks show it. */
export interface FieldChange {
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}

declare const active: unique symbol;

/**
 * The id of a contact whose `last_activity_at` is updated in the same change. A branded type: only crm/contact-activity.ts creates it, so
 * that every entry on a timeline also moves its contact to the front of the list.
 */
export type ActiveContactId = number & { readonly [active]: true };

declare const shaped: unique symbol;

/** An event to be recorded. A branded type: only `of` of define-event.ts creates it, so that every event has a schema. */
export interface EventRecord {
  readonly [shaped]: true;
  readonly event: EventName;
  /** The record as the API shows it; `location_id` and `changes` are added. */
  readonly data: object;
  /** The contact whose timeline shows the event. */
  readonly contactId?: ActiveContactId;
  /** The location of the event, if it differs from the change's. */
  readonly locationId?: number;
  readonly changes?: readonly FieldChange[];
  /** What the timeline shows. */
  readonly timeline: readonly FieldChange[];
  /** The actor, if it differs from the change's: a contact who sent an inbound message, a tool that reported the event. */
  readonly actor?: Actor;
  /** The cause, if it differs from the change's: the status events of a message have the cause of the run that wrote it. */
  readonly cause?: EventCause | null;
  /** The time of the event, if it is not the time of the change. */
  readonly occurredAt?: Date;
}
