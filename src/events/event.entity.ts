/**
 * The table of events, one row each: a contact's timeline, the outbox and the event log at once. Plain ids, no
 * relations: an event outlives what it speaks of.
 */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../storage/columns.ts";
import { actorTypes } from "../vocabulary/states.ts";

export const Event = defineEntity({
  name: "Event",
  tableName: "events",
  uniques: [{ name: "events_position", properties: ["position"] }],
  indexes: [
    // The log of one workspace, as GET /events reads it.
    { name: "events_of_workspace", properties: ["workspaceId", "position"] },
    // The same of one location.
    { name: "events_of_location", properties: ["locationId", "position"] },
    { name: "events_of_contact", properties: ["contactId", "id"] },
    // As an expression, because a partial index written as properties is seen as changed at every comparison.
    {
      name: "events_unstamped",
      expression: 'create index "events_unstamped" on "events" ("id") where "position" is null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    workspaceId: p.type(Integer),
    locationId: p.type(Integer).nullable(),
    event: p.text(),
    contactId: p.type(Integer).nullable(),
    actorType: p.enum(actorTypes),
    actorId: p.type(Integer).nullable(),
    actorName: p.text().nullable(),
    /** A JSON list of {field, old, new}: what the timeline shows. */
    changes: p.text().nullable(),
    /** The record as the API shows it, frozen as text, because its bytes are signed; null once it is pruned. */
    data: p.text().nullable(),
    /** The place in the log, given after the commit, so that a follower never misses one that committed late. */
    position: p.type(Integer).nullable(),
    /** The workflow run that caused it, and how many runs stand behind it: chains end somewhere. */
    runId: p.type(Integer).nullable(),
    depth: p.type(Integer).default(0),
    /** When it happened, where that is not when it was recorded. */
    occurredAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});

/** How far each follower of the log has read. */
export const EventMark = defineEntity({
  name: "EventMark",
  tableName: "event_marks",
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    name: p.text().unique("event_marks_name"),
    position: p.type(Integer),
  },
});

/** One row: the last position that was given, and how far payloads are forgotten. */
export const EventLog = defineEntity({
  name: "EventLog",
  tableName: "event_log",
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    lastPosition: p.type(Integer),
    /** The payloads of all events up to this position are forgotten, and of none after it. */
    forgottenPosition: p.type(Integer).default(0),
  },
});
