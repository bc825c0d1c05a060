/** The shape of an event's `data`: what builds it, what it is held against, what a timeline says of it, and an example. */
import { z } from "zod";
import { beginningOf } from "../kit/text.ts";
import type { EventName } from "../vocabulary/events.ts";
import { limits } from "../vocabulary/limits.ts";
import type { EventRecord, FieldChange } from "./event-record.ts";

export interface EventShape {
  readonly event: EventName;
  /** What leaves the service as `data`: the record, the location, and for updates what changed. Nothing else may stand there. */
  readonly schema: z.ZodType;
  /** An example, as a receiver would get it. */
  readonly specimen: object;
}

interface DefinedEvent<Data> extends EventShape {
  /** The event of `data`, to be recorded. `about` where a timeline says more than is known from `data` and `changes`. */
  of(data: Data, more?: Omit<Partial<EventRecord>, "event" | "data" | "contactId">): EventRecord;
}

/**
 * What an event was about, as the contact's timeline says it (`data` of an activity): nothing beside its name; the changes that it
 * carries; or what is named of its record, by `came` and `went`.
 */
type About<Data> = "nothing" | "changes" | ((data: Data) => readonly FieldChange[]);

const fieldChange = z.strictObject({ field: z.string(), old: z.unknown(), new: z.unknown() });

/**
 * Defines the event for its noun: `data` is the shape of the record, `specimen` an example of it. Kept beside the view of the noun,
 * in its `….events.ts`; crm/event-log lists them all.
 */
export function defineEvent<Shape extends z.ZodObject>(
  event: EventName,
  data: Shape,
  specimen: z.output<Shape> & { readonly changes?: readonly z.output<typeof fieldChange>[] },
  about: About<z.output<Shape>>,
): DefinedEvent<z.output<Shape>> {
  const schema = z.strictObject({
    ...data.shape,
    location_id: z.int().positive().nullable(),
    changes: z.array(fieldChange).min(1).optional(),
  });
  return { event, schema, specimen: { ...specimen, location_id: 1 }, of: toRecord(event, about) };
}

/** Defines an event whose data has members that nobody knows beforehand, beside those of `data`. */
export function defineOpenEvent<Shape extends z.ZodObject>(
  event: EventName,
  data: Shape,
  specimen: z.output<Shape>,
  about: About<z.output<Shape>>,
): DefinedEvent<z.output<Shape>> {
  const schema = z.looseObject({ ...data.shape, location_id: z.int().positive() });
  return { event, schema, specimen: { ...specimen, location_id: 1 }, of: toRecord(event, about) };
}

function toRecord<Data>(event: EventName, about: About<Data>): DefinedEvent<Data>["of"] {
  return (data, more = {}) => ({ about: tellAbout(about, data, more.changes), ...more, event, data }) as EventRecord;
}

const nothing: readonly FieldChange[] = [];

function tellAbout<Data>(about: About<Data>, data: Data, changes = nothing): readonly FieldChange[] {
  if (about === "nothing") return nothing;
  return about === "changes" ? changes : about(data);
}

/** What came with an event: of a long text its beginning, so that a timeline stays short. */
export function came(field: string, value: unknown): FieldChange {
  return { field, old: null, new: shorten(value) };
}

/** What went with an event. */
export function went(field: string, value: unknown): FieldChange {
  return { field, old: shorten(value), new: null };
}

function shorten(value: unknown): unknown {
  return typeof value === "string" ? beginningOf(value, limits.activityText) : value;
}
