/** The JSON Schema of a definition, as docs/workflow.schema.json publishes it and editors read it. */
import { z } from "zod";
import { definitionSchema } from "./definition.schema.ts";

/** Made from what definitions are read by: what is judged beyond it (checks/) no schema can say. */
export function definitionJsonSchema(): object {
  const { properties, ...schema } = z.toJSONSchema(definitionSchema, { io: "input" });
  // An editor names the schema in the file itself.
  return { ...schema, properties: { $schema: { type: "string" }, ...properties } };
}
