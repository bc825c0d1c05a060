/** Holds input against its schema: a request's, and with the same sentences the terminal's, which no endpoint has judged. */
import type { z } from "zod";
import { sentencesOf } from "./fields.ts";
import { Invalid } from "../../vocabulary/errors.ts";

/** What the schema makes of `value`. Throws Invalid with every failing field. */
export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Invalid(sentencesOf(parsed.error));
  return parsed.data;
}
