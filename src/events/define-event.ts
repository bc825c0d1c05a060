/** The shape of an event's `data`: what builds it, what it is held against, and an example of it. */
import { z } from "zod";
import type { EventName } from "../vocabulary/events.ts";
import type { EventRecord } from "./event-record.ts";

export interface EventShape {
  readonly event: EventName;
  /** What leaves the service as `data`: the record, the location, and for updates what changed. Nothing else may stand there. */
  readonly schema: z.ZodType;
  /** An example, as a receiver would get it. */
  readonly specimen: object;
}

interface DefinedEvent<Data> extends EventShape {
  /** The event of `data`, to be recorded. */
  of(data: Data, more?: Omit<Partial<EventRecord>, "event" | "data" | "contactId">): EventRecord;
}

const fieldChange = z.strictObject({ field: z.string(), old: z.unknown(), new: z.unknown() });

/**
 * Defines the event for its noun: `data` is the shape of the record, `specimen` an example of it. Kept beside the view of the noun,
 * in its `….events.ts`; crm/event-log lists them all.
 */
export function defineEvent<Shape extends z.ZodObject>(
  event: EventName,
  data: Shape,
  specimen: z.output<Shape> & { readonly changes?: readonly z.output<typeof fieldChange>[] },
): DefinedEvent<z.output<Shape>> {
  return {
    event,
    schema: z.strictObject({
      ...data.shape,
      location_id: z.int().positive().nullable(),
      changes: z.array(fieldChange).min(1).optional(),
    }),
    specimen: { ...specimen, location_id: 1 },
    of: (record, more = {}) => ({ ...more, event, data: record }) as EventRecord,
  };
}
