/** The JSON Schema of what an operation takes or gives, as the documents show it and a strict request is held against. */
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** `input`: what may be sent, before anything is trimmed or filled in; `output`: what is answered. */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const {
    $schema: _dialect,
    id: _id,
    ...rest
  } = z.toJSONSchema(schema, { io, target: "draft-2020-12", reused: "inline", override: keepExamples }) as JsonSchema;
  return rest;
}

/** zod takes the examples of a transform for its output, and leaves them out of what may be sent; here they are of that. */
function keepExamples({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  const examples = z.globalRegistry.get(zodSchema)?.["examples"];
  if (examples !== undefined) jsonSchema["examples"] = examples;
}
