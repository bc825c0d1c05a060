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
  uniques: [{ name: "events_position", properties: ["position"] }],
  indexes: [
    // The log of one workspace, as GET /events reads it.
    { name: "events_of_workspace", properties: ["workspaceId", "position"] },
    // The same of one location.
    { name: "events_of_location", properties: ["locationId", "position"] },
    { name: "events_of_contact", properties: ["contactId", "id"] },
    // An expression: the schema diff reports a partial index that is written as properties as changed every time.
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
    /** A JSON list of {field, old, new}, as the timeline shows it. */
    changes: p.text().nullable(),
    /** The record as the API shows it, frozen as text, because its bytes are signed; null once it is pruned. */
    data: p.text().nullable(),
    /** The position in the log, assigned after the commit, so that a follower never misses an event that committed late. */
    position: p.type(Integer).nullable(),
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
