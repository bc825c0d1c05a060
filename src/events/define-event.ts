/** Defines an event: the schema of its `data`, its constructor, what timelines show of it, and an example. */
import { z } from "zod";
import { truncate } from "../kit/text.ts";
import type { EventName } from "../vocabulary/events.ts";
import { limits } from "../vocabulary/limits.ts";
import type { EventRecord, FieldChange } from "./event-record.ts";

export interface EventShape {
  readonly event: EventName;
  /** `data` as receivers get it: the record, the location, and for updates the changes. No other members are allowed. */
  readonly schema: z.ZodType;
  /** An example of `data` as a receiver gets it. */
  readonly specimen: object;
}

interface DefinedEvent<Data> extends EventShape {
  /** Creates the event to record. `timeline` overrides what the timeline shows, where `data` and `changes` do not contain it. */
  of(data: Data, more?: Omit<Partial<EventRecord>, "event" | "data" | "contactId">): EventRecord;
}

/**
 * What the contact's timeline shows of an event (`data` of an activity): only its name, the changes that it carries, or fields of its
 * record.
 */
type TimelineRule<Data> = "nothing" | "changes" | ((data: Data) => readonly FieldChange[]);

const fieldChange = z.strictObject({ field: z.string(), old: z.unknown(), new: z.unknown() });

/**
 * Defines the event: `data` is the schema of the record, `specimen` an example. Definitions are in the `….events.ts` of each noun;
 * crm/event-log lists them all.
 */
export function defineEvent<Shape extends z.ZodObject>(
  event: EventName,
  data: Shape,
  specimen: z.output<Shape> & { readonly changes?: readonly z.output<typeof fieldChange>[] },
  timeline: TimelineRule<z.output<Shape>>,
): DefinedEvent<z.output<Shape>> {
  const schema = z.strictObject({
    ...data.shape,
    location_id: z.int().positive().nullable(),
    changes: z.array(fieldChange).min(1).optional(),
  });
  return { event, schema, specimen: { ...specimen, location_id: 1 }, of: toRecord(event, timeline) };
}

/** Defines an event whose data has further members besides those of `data`, with names that callers choose. */
export function defineOpenEvent<Shape extends z.ZodObject>(
  event: EventName,
  data: Shape,
  specimen: z.output<Shape>,
  timeline: TimelineRule<z.output<Shape>>,
): DefinedEvent<z.output<Shape>> {
  const schema = z.looseObject({ ...data.shape, location_id: z.int().positive() });
  return { event, schema, specimen: { ...specimen, location_id: 1 }, of: toRecord(event, timeline) };
}

function toRecord<Data>(event: EventName, timeline: TimelineRule<Data>): DefinedEvent<Data>["of"] {
  return (data, more = {}) =>
    ({ timeline: toTimelineChanges(timeline, data, more.changes), ...more, event, data }) as EventRecord;
}

const nothing: readonly FieldChange[] = [];

function toTimelineChanges<Data>(timeline: TimelineRule<Data>, data: Data, changes = nothing): readonly FieldChange[] {
  if (timeline === "nothing") return nothing;
  return timeline === "changes" ? changes : timeline(data);
}

/** A value that the event added. Long texts are truncated to keep timelines short. */
export function addedValue(field: string, value: unknown): FieldChange {
  return { field, old: null, new: shorten(value) };
}

/** A value that the event removed. */
export function removedValue(field: string, value: unknown): FieldChange {
  return { field, old: shorten(value), new: null };
}

function shorten(value: unknown): unknown {
  return typeof value === "string" ? truncate(value, limits.activityText) : value;
}
