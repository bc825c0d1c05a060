/** What comes in for the event log: an event to be taken in, where to read on, and of which event an example is asked for. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { nullableId, nullableTimestamp } from "../../kit/input/fields.ts";
import { jsonObject } from "../../kit/input/json-object.ts";
import { eventNames, reportedNames } from "../../vocabulary/events.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { limits } from "../../vocabulary/limits.ts";
import { reservedMembers } from "./reported.events.ts";

/** One of `names`. The sentence that refuses any other says all of them. */
function oneOf<Name extends EventName>(names: readonly Name[]) {
  return z.enum(names as readonly [Name, ...Name[]], {
    error: ({ input }) =>
      input === undefined || input === null || input === "" ? "is required." : `must be one of ${names.join(", ")}.`,
  });
}

/** POST /events. */
export const reportEventInput = creation({
  event: oneOf(reportedNames),
  contact_id: nullableId().describe("On whose timeline it stands; left out for what concerns no contact."),
  data: jsonObject({
    bytes: limits.reportedEventBytes,
    depth: limits.reportedEventDepth,
    reserved: reservedMembers,
  }).describe("Whatever the tool has to tell. A timeline shows its first members."),
  occurred_at: nullableTimestamp().describe("When it happened, where that is not now."),
}).meta({
  examples: [{ event: "form.submitted", contact_id: 1, data: { form: "Ask for an offer", newsletter: true } }],
});

export type ReportEventInput = z.output<typeof reportEventInput>;

const wholeNumber = /^[0-9]{1,16}$/;

/** GET /events. Parameters are texts. */
export const eventLogQuery = z.object({
  after: z
    .string()
    .refine(
      (text) => text === "" || text === "latest" || (wholeNumber.test(text) && Number.isSafeInteger(Number(text))),
      {
        error: "must be a position, which is a whole number, or latest.",
      },
    )
    .transform((text) => (text === "latest" ? text : Number(text)))
    .default(0)
    .meta({
      description:
        "The `last_position` of the answer before. Left out, or 0: from the oldest event that is kept. `latest`: only what comes from now on.",
      examples: ["0"],
    }),
  limit: z
    .string()
    .transform(Number)
    .pipe(
      z
        .int({ error: `must be a whole number from 1 to ${limits.eventPageSize}.` })
        .min(1, { error: `must be a whole number from 1 to ${limits.eventPageSize}.` })
        .max(limits.eventPageSize, { error: `must be a whole number from 1 to ${limits.eventPageSize}.` }),
    )
    .default(limits.eventPageSize)
    .meta({ description: "The most events to answer.", examples: ["200"] }),
  event: z
    .string()
    .transform((text) => text.split(",").map((name) => name.trim()))
    // Before they are looked at: of each that is none a sentence tells all that there are.
    .refine((names) => names.length <= eventNames.length, {
      error: `must name at most ${eventNames.length} events.`,
      abort: true,
    })
    .pipe(z.array(oneOf(eventNames)))
    .optional()
    .meta({
      description: "Only these events, by their names, parted by commas.",
      examples: ["contact.created,note.added"],
    }),
});

/** The latest events, as many as are wanted. */
export const latestEventsQuery = z.object({
  limit: z.int().min(1).max(limits.latestEvents),
  event: eventLogQuery.shape.event,
});

export type EventLogQuery = z.output<typeof eventLogQuery>;

/** GET /hooks/samples. */
export const sampleQuery = z.object({ event: oneOf(eventNames) });
