/** The field types of definitions: node ids, templates, tags, durations, timestamps, filters. */
import { z } from "zod";
import { name } from "../../../kit/input/name.ts";
import { acceptedDuration, readDuration } from "../../../kit/time/duration.ts";
import { readTimestamp } from "../../../kit/time/read-timestamp.ts";
import { readTimeOfDay } from "../../../kit/time/opening.ts";
import { eventNames } from "../../../vocabulary/events.ts";
import { limits } from "../../../vocabulary/limits.ts";

const nodeIdForm = new RegExp(`^[A-Za-z][A-Za-z0-9_-]{0,${limits.workflow.nodeId - 1}}$`);

/** Starts with a letter, so that no id is an inherited member such as __proto__. */
export const nodeId = z
  .string({ error: ({ input }) => (input === undefined ? "is required." : "must be the id of a node.") })
  .regex(nodeIdForm, {
    error: `must be the id of a node: a letter, then letters, digits, _ or -, at most ${limits.workflow.nodeId} characters.`,
  });

/** The next node; without one the run ends. */
export const next = nodeId.optional().describe("The next node; without one the run ends here.");

/** The description of a text with templates. */
export const templates = "Takes {{contact.first_name}} and {{context.key}}.";

/** The name of a tag, folded, or its id. */
export const tag = z.union([z.int().positive(), name(limits.tagName)], {
  error: "must be the name of a tag, or its id as a number.",
});

/** A duration, kept as it was written. */
export const duration = z
  .string({ error: ({ input }) => (input === undefined ? "is required." : `must be ${acceptedDuration}.`) })
  .refine((value) => readDuration(value) !== undefined, { error: `must be ${acceptedDuration}.` })
  .meta({ pattern: "^[0-9]{1,9}[smhdw]$", examples: ["30s", "15m", "1h", "2d", "1w"] });

/** A timestamp, kept as it was written. */
export const moment = z
  .string({ error: "must be a timestamp with an offset or Z, such as 2026-03-01T12:00:00Z." })
  .refine((value) => readTimestamp(value) !== undefined, {
    error: "must be a timestamp with an offset or Z, such as 2026-03-01T12:00:00Z.",
  })
  .meta({ format: "date-time" });

const timeOfDayError = "must be a time of day such as 09:00.";

/** A time of day in the location's time zone, kept as it was written. */
export const timeOfDay = z
  .string({ error: timeOfDayError })
  .refine((value) => value !== "24:00" && readTimeOfDay(value) !== undefined, { error: timeOfDayError })
  .meta({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$", examples: ["09:00"] });

/** Conditions of the contact list and of `context.key`. readFilter (filters.ts) parses them and names their faults. */
export const filter = z
  .unknown()
  .refine((value) => value !== undefined && value !== null, { error: "is required." })
  .meta({
    description:
      'A list of {"field", "op", "value"} conditions that must all match; {"any": [ … ]} in place of one matches if any of its conditions does. Or an object such as {"city": "Boston"}. The fields are those of GET /contacts, and context.key.',
    anyOf: [{ type: "array" }, { type: "object" }],
    examples: [[{ field: "tag", op: "eq", value: "VIP" }]],
  });

const aboutNoContact = new Set(["ping", "location.created", "location.updated", "user.invited", "contact.deleted"]);

/** The events about a contact that is not deleted. */
export const contactEvent = z.enum(eventNames.filter((name) => !aboutNoContact.has(name)));
