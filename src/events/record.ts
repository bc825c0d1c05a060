/** Inserts events, one row each, in the transaction of the change that raised them. */
import { defineInsert, insertRows, sendRows } from "../storage/inserting/insert.ts";
import type { RoundTrips } from "../storage/inserting/round-trips.ts";
import { listed } from "../storage/json.ts";
import type { Writer } from "../storage/rows.ts";
import { sql } from "../storage/sql-text.ts";
import type { AppEventName } from "../vocabulary/events.ts";
import type { EventRecord } from "./event-record.ts";
import type { Change } from "./caller.ts";
import { stampInserted } from "./positions.ts";
import { packPayload } from "./payloads/stored-payload.ts";

export const eventTable = "events";

const columns = [
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
] as const;

const eventInsert = defineInsert(eventTable, columns, {
  leaves: ["former_position"],
  feeds: {
    table: "unstamped_events",
    columns: { event_id: "id", workspace_id: "workspace_id", location_id: "location_id" },
    embedded: stampInserted,
  },
});
const besideLogInsert = defineInsert(eventTable, columns, { leaves: ["former_position"] });

type Changing = Omit<Change, "record" | "raise">;

/** Reserves `count` event ids with the next statement, so that `record` needs no round trip; not in a batch, whose events are inserted together. */
export function reserveEventIds(change: Pick<Change, "roundTrips">, count: number): void {
  change.roundTrips.reserveIds(eventTable, count);
}

/** Inserts `events`; resolves to their ids, in order. */
export function insertEvents(change: Changing, events: readonly EventRecord[]): Promise<number[]> {
  return insertRows(change, eventInsert, toRows(change, events), { prepared: mostTogether });
}

/** The same without waiting, where the ids are not needed. */
export function sendEvents(change: Changing, events: readonly EventRecord[]): void {
  sendRows(change, eventInsert, toRows(change, events));
}

/** The most events of one insert: the statement of each count is prepared and kept. */
const mostTogether = 16;

/** The events that the changes of one transaction raise: inserted together, in the order in which they were raised. */
export interface RaisedEvents {
  /** Those of the transaction, but ids of events are not reserved: one would be lower than that of an event which was raised before and is sent later. */
  readonly roundTrips: RoundTrips;
  /** Sends what is there once it fills a statement, so that little is held. */
  add(change: Changing, events: readonly EventRecord[]): void;
  /** To be called before an event is inserted past them, and before the commit. */
  send(): void;
}

export function createRaisedEvents(transaction: Writer): RaisedEvents {
  const { roundTrips } = transaction;
  const rows: ReturnType<typeof toRows> = [];
  function send(least: number): void {
    while (rows.length >= least)
      sendRows(transaction, eventInsert, rows.splice(0, mostTogether), { prepared: mostTogether });
  }
  return {
    roundTrips: {
      ...roundTrips,
      reserveIds(table, count) {
        if (table !== eventTable) roundTrips.reserveIds(table, count);
      },
    },
    add(change, events) {
      rows.push(...toRows(change, events));
      send(mostTogether);
    },
    send: () => send(1),
  };
}

/** `data` is serialized once here; its bytes never change afterwards. */
function toRows(change: Changing, events: readonly EventRecord[]) {
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
      data: packPayload(JSON.stringify({ ...event.data, location_id: locationId, changes: event.changes })),
      run_id: run?.runId ?? null,
      depth: run?.depth ?? 0,
      cause: cause === "import" ? cause : null,
      trace: change.trace,
      occurred_at: event.occurredAt ?? null,
      created_at: change.now,
    };
  });
}

interface AppEvent {
  /** The workspace that owns the app. */
  readonly workspaceId: number;
  readonly event: AppEventName;
  readonly data: object;
  readonly now: Date;
}

/**
 * Inserts a row that no log has and no follower reads, for the delivery to one webhook; resolves to its id. It gets no
 * position, so its payload is deleted with its delivery.
 */
export async function insertAppEvent(writer: Writer, { workspaceId, event, data, now }: AppEvent): Promise<number> {
  const [id] = await insertRows(writer, besideLogInsert, [
    {
      workspace_id: workspaceId,
      location_id: null,
      event,
      contact_id: null,
      actor_type: "system",
      actor_id: null,
      actor_name: null,
      changes: null,
      data: JSON.stringify(data),
      run_id: null,
      depth: 0,
      cause: null,
      trace: null,
      occurred_at: null,
      created_at: now,
    },
  ]);
  return id!;
}

const forgetText = sql`delete from events where id in ${listed} and event like 'app.%'`;

/** Deletes those of these events that no log has. */
export function sendAppEventDeletion(writer: Pick<Writer, "send">, ids: readonly number[]): void {
  writer.send(forgetText, [JSON.stringify(ids)]);
}
