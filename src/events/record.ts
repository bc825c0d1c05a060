/** Writes events: one row each, with the change that caused them. */
import { defineInsert, insertRows, sendRows } from "../storage/inserting/insert.ts";
import type { EventRecord } from "./event-record.ts";
import type { Change } from "./caller.ts";

export const eventTable = "events";

const eventInsert = defineInsert(
  eventTable,
  [
    "workspace_id",
    "location_id",
    "event",
    "contact_id",
    "actor_type",
    "actor_id",
    "actor_name",
    "changes",
    "data",
    "run_id",
    "depth",
    "occurred_at",
    "created_at",
  ],
  { leaves: ["position"] },
);

type Writing = Omit<Change, "record" | "raise">;

/** Asks for the ids of so many events ahead, with what is asked next: `record` then waits for nothing. */
export function reserveEventIds(change: Pick<Change, "reserveIds">, count: number): void {
  change.reserveIds(eventTable, count);
}

/** Inserts `events` inside `change` and resolves to their ids, in order. */
export function insertEvents(change: Writing, events: readonly EventRecord[]): Promise<number[]> {
  return insertRows(change, eventInsert, toRows(change, events));
}

/** The same where nobody needs their ids. */
export function sendEvents(change: Writing, events: readonly EventRecord[]): void {
  sendRows(change, eventInsert, toRows(change, events));
}

/** `data` is frozen here, as text. */
function toRows(change: Writing, events: readonly EventRecord[]) {
  return events.map((event) => {
    const actor = event.actor ?? change.actor;
    const cause = event.cause ?? change.cause;
    const locationId = event.locationId ?? change.location?.id ?? null;
    return {
      workspace_id: change.workspaceId,
      location_id: locationId,
      event: event.event,
      contact_id: event.contactId ?? null,
      actor_type: actor.type,
      actor_id: actor.id,
      actor_name: actor.name,
      changes: event.about.length === 0 ? null : JSON.stringify(event.about),
      data: JSON.stringify({ ...event.data, location_id: locationId, changes: event.changes }),
      run_id: cause?.runId ?? null,
      depth: cause?.depth ?? 0,
      occurred_at: event.occurredAt ?? null,
      created_at: change.now,
    };
  });
}
