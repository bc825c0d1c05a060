/** What is told when an event is recorded. */
import type { EventName } from "../vocabulary/events.ts";
import type { Actor } from "./actor.ts";

/** What made a change happen, where no person or program asked for it: a workflow run, and how many runs stand behind it. */
export interface Cause {
  readonly runId: number;
  readonly depth: number;
}

/** One field that an update changed, as timelines and webhooks show it. */
export interface FieldChange {
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}

declare const active: unique symbol;

/**
 * The id of a contact whose `last_activity_at` moves in the same change. A plain number is none: crm/contact-activity.ts alone makes
 * one, so that nothing stands on a timeline without moving its contact to the front of the list.
 */
export type ActiveContactId = number & { readonly [active]: true };

declare const shaped: unique symbol;

/** An event to be recorded. A literal is none: only `of` of define-event.ts makes one, so that no event goes without a shape. */
export interface EventRecord {
  readonly [shaped]: true;
  readonly event: EventName;
  /** The record as the API shows it; `location_id` and `changes` are added. */
  readonly data: object;
  /** On whose timeline the event stands. */
  readonly contactId?: ActiveContactId;
  /** Where it happened, when that is not the location of the change. */
  readonly locationId?: number;
  readonly changes?: readonly FieldChange[];
  /** What the timeline says that it was about. */
  readonly about: readonly FieldChange[];
  /** Who did it, when that is not who makes the change: a contact whose message is taken in, a tool that reports. */
  readonly actor?: Actor;
  /** What made it happen, when that is not what makes the change happen: what becomes of a message is the doing of the run that wrote it. */
  readonly cause?: Cause | null;
  /** When it happened, when that is not now. */
  readonly occurredAt?: Date;
}
