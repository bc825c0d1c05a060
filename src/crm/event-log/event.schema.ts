/** The input of the event operations: a reported event, a read of the log, a sample. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { nullableId, nullableTimestamp } from "../../kit/input/fields.ts";
import { jsonObject } from "../../kit/json/json-field.ts";
import { eventNames, reportedNames } from "../../vocabulary/events.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { limits } from "../../vocabulary/limits.ts";
import { reservedMembers } from "./reported.events.ts";

/** One of `names`; the error lists all of them. */
function eventNameOf<Name extends EventName>(names: readonly Name[]) {
  return z.enum(names as readonly [Name, ...Name[]], {
    error: ({ input }) =>
      input === undefined || input === null || input === "" ? "is required." : `must be one of ${names.join(", ")}.`,
  });
}

/** POST /events. */
export const reportEventInput = creation({
  event: eventNameOf(reportedNames),
  contact_id: nullableId().describe("The contact whose timeline shows the event. Omit it if the event has no contact."),
  data: jsonObject({
    bytes: limits.reportedEventBytes,
    depth: limits.reportedEventDepth,
    reserved: reservedMembers,
  }).describe("Any JSON object. Timelines show its first members."),
  occurred_at: nullableTimestamp().describe("When the event happened. Default: now."),
}).meta({
  examples: [{ event: "form.submitted", contact_id: 1, data: { form: "Ask for an offer", newsletter: true } }],
});

export type ReportEventInput = z.output<typeof reportEventInput>;

const wholeNumber = /^[0-9]{1,16}$/;
const isPosition = (text: string): boolean => wholeNumber.test(text) && Number.isSafeInteger(Number(text));
const wrongLimit = { error: `must be a whole number from 1 to ${limits.eventPageSize}.` };

/** GET /events. Query parameters arrive as strings. */
export const eventLogQuery = z.object({
  after: z
    .string()
    .refine((text) => text === "" || text === "latest" || isPosition(text), {
      error: "must be a position, which is a whole number, or latest.",
    })
    .transform((text) => (text === "latest" ? text : Number(text)))
    .default(0)
    .meta({
      description:
        "The `last_position` of the previous response. Omitted or 0: starts with the oldest event that is kept. `latest`: only events from now on.",
      examples: ["0"],
    }),
  limit: z
    .preprocess(
      (value) => (typeof value === "string" && wholeNumber.test(value) ? Number(value) : value),
      z.int(wrongLimit).min(1, wrongLimit).max(limits.eventPageSize, wrongLimit),
    )
    .default(limits.eventPageSize)
    .meta({ description: "The maximum number of events to return.", examples: [200] }),
  event: z
    .string()
    .transform((text) => text.split(",").map((name) => name.trim()))
    // Checked first, since the error for each unknown name lists all names.
    .refine((names) => names.length <= eventNames.length, {
      error: `must name at most ${eventNames.length} events.`,
      abort: true,
    })
    .transform((names, context) => {
      const read = z.array(eventNameOf(eventNames)).safeParse(names);
      if (read.success) return read.data;
      // The client wrote one text, which has no places.
      for (const { message } of read.error.issues) context.issues.push({ code: "custom", input: names, message });
      return z.NEVER;
    })
    .optional()
    .meta({
      description: "Only events with these names, separated by commas.",
      examples: ["contact.created,note.added"],
    }),
});

/** The input of positionBefore. */
export const latestEventsQuery = z.object({
  limit: z.int().min(1).max(limits.latestEvents),
  event: eventLogQuery.shape.event,
  before: z
    .string()
    .refine(isPosition, { error: "must be a position, which is a whole number." })
    .transform(Number)
    .optional(),
});

export type LatestEventsQuery = z.output<typeof latestEventsQuery>;
export type EventLogQuery = z.output<typeof eventLogQuery>;

/** GET /hooks/samples. */
export const sampleQuery = z.object({ event: eventNameOf(eventNames) });
