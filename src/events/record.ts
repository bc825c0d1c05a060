/** Inserts events, one row each, in the transaction of the change that raised them. */
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
    "cause",
    "trace",
    "occurred_at",
    "created_at",
  ],
  {
    leaves: ["former_position"],
    feeds: {
      table: "unstamped_events",
      columns: { event_id: "id", workspace_id: "workspace_id", location_id: "location_id" },
    },
  },
);

type Writing = Omit<Change, "record" | "raise">;

/** Reserves `count` event ids with the next statement, so that `record` needs no round trip. */
export function reserveEventIds(change: Pick<Change, "roundTrips">, count: number): void {
  change.roundTrips.reserveIds(eventTable, count);
}

/** Inserts `events`; resolves to their ids, in order. */
export function insertEvents(change: Writing, events: readonly EventRecord[]): Promise<number[]> {
  return insertRows(change, eventInsert, toRows(change, events));
}

/** The same without waiting, where the ids are not needed. */
export function sendEvents(change: Writing, events: readonly EventRecord[]): void {
  sendRows(change, eventInsert, toRows(change, events));
}

/** `data` is serialized once here; its bytes never change afterwards. */
function toRows(change: Writing, events: readonly EventRecord[]) {
  return events.map((event) => {
    const actor = event.actor ?? change.actor;
    const cause = event.cause ?? change.cause;
    const run = cause === "import" ? null : cause;
    const locationId = event.locationId ?? change.location?.id ?? null;
    return {
      workspace_id: change.workspaceId,
      location_id: locationId,
      event: event.event,
      contact_id: event.contactId ?? null,
      actor_type: actor.type,
      actor_id: actor.id,
      actor_name: actor.name,
      changes: event.timeline.length === 0 ? null : JSON.stringify(event.timeline),
      data: JSON.stringify({ ...event.data, location_id: locationId, changes: event.changes }),
      run_id: run?.runId ?? null,
      depth: run?.depth ?? 0,
      cause: cause === "import" ? cause : null,
      trace: change.trace,
      occurred_at: event.occurredAt ?? null,
      created_at: change.now,
    };
  });
}
