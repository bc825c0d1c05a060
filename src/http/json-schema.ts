/** The JSON Schema of an operation's input or output, for the documentation and strict requests. */
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** `input`: before trimming and defaults; `output`: the response. */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const {
    $schema: _dialect,
    id: _id,
    ...rest
  } = z.toJSONSchema(schema, { io, target: "draft-2020-12", reused: "inline", override: adapt }) as JsonSchema;
  return rest;
}

/**
 * zod assigns the examples of a transform to its output; here they belong to its input. What is `readonly` in TypeScript is `readOnly` for zod, which
 * in a JSON Schema says that a request must not send it.
 */
function adapt({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  const examples = z.globalRegistry.get(zodSchema)?.["examples"];
  if (examples !== undefined) jsonSchema["examples"] = examples;
  delete jsonSchema["readOnly"];
}
