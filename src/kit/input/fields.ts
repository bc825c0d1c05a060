/** Builders of input schemas with the conventions of the API, and the sentences of a 422 for each invalid field. */
import { z } from "zod";
import { isEmailAddress } from "./email-address.ts";
import { toId } from "./id.ts";
import { counted, isBlank, isLongerThan } from "../text.ts";
import { acceptedTime, readGivenTime } from "../time/given-time.ts";
import { readTimestamp } from "../time/read-timestamp.ts";
import { canonicalTimeZone } from "../time/time-zone.ts";

// Issue messages are predicates; sentencesOf puts "The … field" before them. OpenAPI keywords (maxLength, format) are
// set as meta, because custom checks and transforms do not show in a JSON Schema.

/** A required, visible string, trimmed; `max` counts code points, and without it only the body limit applies. */
export function text(max?: number) {
  return bounded(max)
    .refine((value) => value !== "", { error: "is required.", abort: true })
    .meta({ minLength: 1, ...maxLength(max) });
}

/** A required string that may be empty, such as `last_name`. */
export function emptyableText(max?: number) {
  return bounded(max).meta(maxLength(max));
}

/** An optional string that must not be empty: an unset variable of a client must not select everything. */
export function filledText(max?: number) {
  return bounded(max)
    .refine((value) => value !== "", { error: "must not be empty.", abort: true })
    .meta({ minLength: 1, ...maxLength(max) })
    .optional();
}

/** An optional string or null; "" becomes null. */
export function nullableText(max?: number) {
  return emptyToNull(bounded(max).meta(maxLength(max)));
}

/** An optional e-mail address or null; "" becomes null, the spelling is kept. */
export function nullableEmail(max?: number) {
  const schema = bounded(max)
    .refine((value) => value === "" || isEmailAddress(value), { error: "must be a valid email address." })
    .meta({ format: "email", ...maxLength(max) });
  return emptyToNull(schema);
}

/** An optional boolean; neither null nor a word or number. */
export function flag() {
  return z.boolean({ error: "must be true or false." }).optional();
}

const invalidId = "must be a positive integer.";

/** An optional list filter, `true` or `false`, not empty. */
export function filterFlag() {
  const words: Readonly<Record<string, boolean>> = { true: true, false: false };
  const read = (value: unknown) => (typeof value === "string" && Object.hasOwn(words, value) ? words[value] : value);
  return z.preprocess(read, z.boolean({ error: "must be true or false." })).optional();
}

/** An optional record ID or null; "" becomes null, and "1" is the ID 1. */
export function nullableId() {
  const id = z.int({ error: invalidId }).positive({ error: invalidId }).nullable();
  return z.preprocess(readIdText, id).optional();
}

/** A required record ID; "1" is the ID 1, and "" is missing. */
export function recordId() {
  const error = ({ input }: { input?: unknown }) =>
    input === undefined || input === null || input === "" ? "is required." : invalidId;
  return z.preprocess((value) => readIdText(value) ?? value, z.int({ error }).positive({ error }));
}

/** An optional ID to filter a list by, not empty: an unset variable of a client must not select everything. */
export function filterId() {
  return z
    .preprocess((value) => toId(value) ?? value, z.int({ error: invalidId }).positive({ error: invalidId }))
    .optional();
}

/** An integer from 0 to the largest safe integer of JSON, such as an amount in cents. */
export function wholeNumber() {
  const error = `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`;
  return z.int({ error }).min(0, { error });
}

function readIdText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return isBlank(value) ? null : (toId(value.trim()) ?? value);
}

const colorForm = /^#[0-9a-fA-F]{6}$/;

/** An optional color or null; "" becomes null. */
export function color() {
  return nullableText()
    .refine((value) => typeof value !== "string" || colorForm.test(value), {
      error: "must be a color such as #1a2b3c.",
    })
    .meta({ pattern: colorForm.source });
}

/** An optional time with or without an offset, a date, or null; "" becomes null (time/given-time.ts). */
export function givenTime() {
  const schema = bounded()
    .meta({ examples: ["2026-03-02T09:30:00-05:00"] })
    .transform((value, context) => {
      if (value === "") return null;
      const given = readGivenTime(value);
      if (given !== undefined) return given;
      context.issues.push({ code: "custom", input: value, message: `must be ${acceptedTime}.` });
      return z.NEVER;
    });
  return schema.nullable().optional();
}

/** An optional timestamp or null; "" becomes null. The offset is required: a local time is ambiguous. */
export function nullableTimestamp() {
  const schema = bounded()
    .meta({ format: "date-time" })
    .transform((value, context) => {
      if (value === "") return null;
      const time = readTimestamp(value);
      if (time !== undefined) return time;
      const message = "must be a timestamp with an offset or Z, such as 2026-03-01T12:00:00Z.";
      context.issues.push({ code: "custom", input: value, message });
      return z.NEVER;
    });
  return schema.nullable().optional();
}

/** A required timestamp. */
export function requiredTimestamp() {
  return nullableTimestamp().transform((time, context) => {
    if (time instanceof Date) return time;
    context.issues.push({ code: "custom", input: time, message: "is required." });
    return z.NEVER;
  });
}

/** An optional IANA time zone or null; "" becomes null, and the response has IANA's spelling. */
export function timeZone() {
  const schema = bounded()
    .meta({ examples: ["America/New_York"] })
    .transform((value, context) => {
      if (value === "") return null;
      const name = canonicalTimeZone(value);
      if (name !== undefined) return name;
      context.issues.push({
        code: "custom",
        input: value,
        message: "must be an IANA time zone name, such as America/New_York.",
      });
      return z.NEVER;
    });
  return schema.nullable().optional();
}

/**
 * The `errors` of a 422: the sentences of each invalid field, in schema order, such as `{ first_name: ["The first name
 * field is required."] }`. Nested fields are joined by dots (`contacts.0.email`).
 */
export function sentencesOf(error: z.ZodError): Record<string, string[]> {
  const sentences = new Map<string, string[]>();
  for (const issue of error.issues) {
    const field = issue.path.length === 0 ? "body" : issue.path.map(String).join(".");
    const sentence = `The ${field.replaceAll("_", " ")} field ${predicateOf(issue)}`;
    const found = sentences.get(field) ?? [];
    if (!found.includes(sentence)) sentences.set(field, [...found, sentence]);
  }
  return Object.fromEntries(sentences); // fromEntries defines own keys, so a field called __proto__ is harmless
}

function maxLength(max: number | undefined): { maxLength?: number } {
  return max === undefined ? {} : { maxLength: max };
}

/**
 * A trimmed string without NUL bytes (PostgreSQL stores none) of at most `max` code points; one without visible
 * characters is empty.
 */
function bounded(max: number = Number.POSITIVE_INFINITY) {
  return (
    z
      .string({ error: ({ input }) => (input === undefined || input === null ? "is required." : "must be a string.") })
      .trim()
      .refine((value) => !value.includes("\0"), { error: "must not contain NUL bytes.", abort: true })
      // A lone surrogate is invalid text: a database would store another character.
      .refine((value) => value.isWellFormed(), { error: "must be valid Unicode text.", abort: true })
      .refine((value) => !isLongerThan(value, max), {
        error: `must not be longer than ${max} characters.`,
        abort: true,
      })
      .overwrite((value) => (isBlank(value) ? "" : value))
  );
}

function emptyToNull(schema: z.ZodString) {
  return schema
    .transform((value) => (value === "" ? null : value))
    .nullable()
    .optional();
}

/** Our predicates begin in lower case; zod's sentences do not, and are replaced by ones built from the issue. */
function predicateOf(issue: z.core.$ZodIssue): string {
  if (/^\p{Ll}/u.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      if (issue.message.endsWith("received undefined")) return "is required.";
      return `must be ${kindNames[issue.expected] ?? `a ${issue.expected}`}.`;
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.join(", ")}.`;
    case "too_big":
      return `must ${measureOf(issue, "at most", issue.maximum)}.`;
    case "too_small":
      return `must ${measureOf(issue, "at least", issue.minimum)}.`;
    default:
      return "is invalid.";
  }
}

const kindNames: Record<string, string> = {
  array: "a list",
  boolean: "true or false",
  int: "an integer",
  object: "an object",
  record: "an object",
};

function measureOf(issue: { origin: string }, bound: string, limit: number | bigint): string {
  const noun = issue.origin === "string" ? "character" : ["array", "set"].includes(issue.origin) ? "item" : undefined;
  return noun === undefined ? `be ${bound} ${limit}` : `have ${bound} ${counted(Number(limit), noun)}`;
}
