/** Validates input against its schema, with the same error sentences for requests and the terminal. */
import type { z } from "zod";
import { sentencesOf } from "./fields.ts";
import { Invalid } from "../../vocabulary/errors.ts";

/** Parses `value`. Throws Invalid with every invalid field. */
export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Invalid(sentencesOf(parsed.error));
  return parsed.data;
}
