/** The JSON Schema of an input that a transform parses, for the OpenAPI document: the transform would hide it. */
import { z } from "zod";

export function describeInput(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io: "input" });
  return described;
}
