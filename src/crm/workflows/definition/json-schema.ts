/** The JSON Schema of a definition, as docs/workflow.schema.json publishes it and editors read it. */
import { z } from "zod";
import { workflowNodes } from "../nodes/all.ts";
import { definitionSchemaOf } from "./definition.schema.ts";

/** Made from the schemas by which definitions are read. The checks of publishing (checks/) go beyond any schema. */
export function definitionJsonSchema(nodes = workflowNodes): object {
  const { properties, ...schema } = z.toJSONSchema(definitionSchemaOf(nodes), { io: "input" });
  // An editor names the schema in the file itself.
  return { ...schema, properties: { $schema: { type: "string" }, ...properties } };
}
