/**
 * The table of events, one row each: a contact's timeline, the outbox and the event log at once. Plain ids, no
 * relations: an event outlives the records that it names.
 */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../storage/columns.ts";
import { actorTypes } from "../vocabulary/states.ts";

export const Event = defineEntity({
  name: "Event",
  tableName: "events",
  indexes: [{ name: "events_of_contact", properties: ["contactId", "id"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    workspaceId: p.type(Integer),
    locationId: p.type(Integer).nullable(),
    event: p.text(),
    contactId: p.type(Integer).nullable(),
    actorType: p.enum(actorTypes),
    actorId: p.type(Integer).nullable(),
    actorName: p.text().nullable(),
    /** A JSON list of {field, old, new}, as the timeline shows it. */
    changes: p.text().nullable(),
    /** The record as the API shows it, frozen as text, because its bytes are signed; null once it is pruned. */
    data: p.text().nullable(),
    /** Unused: the position of an event from before event_positions. SQLite rewrites a whole table to drop a column. */
    formerPosition: p.type(Integer).nullable(),
    /** The workflow run that caused it, and the depth of its chain of runs, which is limited. */
    runId: p.type(Integer).nullable(),
    depth: p.type(Integer).default(0),
    /** `import` if an import raised it; null otherwise. */
    cause: p.text().nullable(),
    /** The trace of the request that caused it (trace-context.ts); its deliveries are part of it. */
    trace: p.text().nullable(),
    /** The time of the event, if it is not the time of recording. */
    occurredAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});

/** The log: the position of each event, in the order of commits, so that a follower never misses an event that committed late. */
export const EventPosition = defineEntity({
  name: "EventPosition",
  tableName: "event_positions",
  uniques: [{ name: "event_positions_event", properties: ["eventId"] }],
  indexes: [
    // The log of one workspace, as GET /events reads it.
    { name: "event_positions_of_workspace", properties: ["workspaceId", "position"] },
    // The same of one location.
    { name: "event_positions_of_location", properties: ["locationId", "position"] },
  ],
  properties: {
    position: p.type(Integer).primary().autoincrement(false),
    eventId: p.type(Integer),
    workspaceId: p.type(Integer),
    locationId: p.type(Integer).nullable(),
  },
});

/** The events that have no position yet: on PostgreSQL written with the event, removed with its position. SQLite lists an event only behind older ones. */
export const UnstampedEvent = defineEntity({
  name: "UnstampedEvent",
  tableName: "unstamped_events",
  indexes: [{ name: "unstamped_events_of_location", properties: ["locationId"] }],
  properties: {
    eventId: p.type(Integer).primary().autoincrement(false),
    workspaceId: p.type(Integer),
    locationId: p.type(Integer).nullable(),
  },
});

/** The cursor of each follower of the log: the last position that it has processed. */
export const EventMark = defineEntity({
  name: "EventMark",
  tableName: "event_marks",
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    name: p.text().unique("event_marks_name"),
    position: p.type(Integer),
  },
});

/** A single row: the last assigned position, and the position up to which payloads are pruned. */
export const EventLog = defineEntity({
  name: "EventLog",
  tableName: "event_log",
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    lastPosition: p.type(Integer),
    /** The payloads of all events up to this position are pruned, and none after it. */
    forgottenPosition: p.type(Integer).default(0),
  },
});
