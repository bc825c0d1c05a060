/** Writes events: one row each, with the change that caused them. */
import { defineInsert, insertRows } from "../storage/insert.ts";
import type { EventRecord } from "./event-record.ts";
import type { Change } from "./caller.ts";

const eventInsert = defineInsert(
  "events",
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

/** Inserts `events` inside `change` and resolves to their ids, in order. `data` is frozen here, as text. */
export function insertEvents(change: Omit<Change, "record">, events: readonly EventRecord[]): Promise<number[]> {
  return insertRows(
    change,
    eventInsert,
    events.map((event) => {
      const actor = event.actor ?? change.actor;
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
        run_id: change.cause?.runId ?? null,
        depth: change.cause?.depth ?? 0,
        occurred_at: event.occurredAt ?? null,
        created_at: change.now,
      };
    }),
  );
}
