/** The response shapes of events: a page of the log, a reported event, a sample. */
import { z } from "zod";
import { toEnvelopeMembers } from "../../events/envelope.ts";
import { actorTypes } from "../../vocabulary/states.ts";
import type { ActorType } from "../../vocabulary/states.ts";
import { eventNames } from "../../vocabulary/events.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { contactSpecimen } from "../contacts/contact.specimen.ts";

const eventName = z.enum(eventNames as readonly [EventName, ...EventName[]]);

const envelope = {
  id: z.int(),
  event: eventName,
  created_at: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()).describe("The record at the time of the event, with its location_id."),
};

const envelopeSpecimen = {
  id: 7,
  event: "contact.created",
  created_at: "2026-03-01T12:00:00.000Z",
  data: { ...contactSpecimen, location_id: 1 },
} as const;

/** A sample of what a webhook receives. */
export const sampleView = z.object(envelope).meta({
  id: "SampleEvent",
  description: "An event as a webhook would receive it.",
  examples: [envelopeSpecimen],
});

export type SampleView = z.output<typeof sampleView>;

/** POST /events. */
export const reportedEventView = z.object({ id: z.int(), event: eventName, created_at: z.iso.datetime() }).meta({
  id: "ReportedEvent",
  description: "The event that was recorded.",
  examples: [{ id: 7, event: "form.submitted", created_at: "2026-03-01T12:00:00.000Z" }],
});

export type ReportedEventView = z.output<typeof reportedEventView>;

const loggedEventView = z
  .object({
    position: z.int().describe("The position in the log, in the order of commits."),
    ...envelope,
    contact_id: z.int().nullable().describe("The contact whose timeline shows the event."),
    actor: z.object({ type: z.enum(actorTypes), id: z.int().nullable(), name: z.string().nullable() }),
  })
  .meta({
    id: "LoggedEvent",
    description: "An event with its position in the log.",
    examples: [
      { position: 7, ...envelopeSpecimen, contact_id: 1, actor: { type: "api_key", id: 1, name: "Website forms" } },
    ],
  });

export type LoggedEventView = z.output<typeof loggedEventView>;

export const logPositionView = z.object({ position: z.int() });

export const eventLogView = z
  .object({
    data: z.array(loggedEventView),
    last_position: z
      .int()
      .meta({ description: "Send it as `after` to continue, even if `data` is empty.", examples: [7] }),
    has_more: z
      .boolean()
      .meta({ description: "Whether the log has more events: send the next request immediately.", examples: [false] }),
  })
  .meta({ id: "EventLog", description: "A page of the event log, in log order." });

export interface EventLogPage {
  readonly events: readonly LoggedEventRow[];
  /** Where to continue. Can be after the last event returned, if the following events are not visible to this reader. */
  readonly last_position: number;
  readonly has_more: boolean;
}

/** The selected row: times in milliseconds, the payload as stored text. */
export interface LoggedEventRow {
  readonly id: number;
  readonly position: number;
  readonly event: EventName;
  readonly contact_id: number | null;
  readonly actor_type: ActorType;
  readonly actor_id: number | null;
  readonly actor_name: string | null;
  readonly data: string;
  readonly created_at: number;
}

/** The JSON of an EventLog. */
export function toEventLog({ events, last_position, has_more }: EventLogPage): string {
  return `{"data":[${events.map(toLoggedEvent).join(",")}],"last_position":${last_position},"has_more":${has_more}}`;
}

/** The JSON of a LoggedEvent. The stored payload is copied without parsing it. */
function toLoggedEvent(row: LoggedEventRow): string {
  const actor = JSON.stringify({ type: row.actor_type, id: row.actor_id, name: row.actor_name });
  return `{"position":${row.position},${toEnvelopeMembers(row)},"contact_id":${row.contact_id},"actor":${actor}}`;
}
