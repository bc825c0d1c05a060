/** An example of a schema: its own, or one composed from its parts. */
import type { JsonSchema } from "../json-schema.ts";
import type { Schemas } from "./component-schemas.ts";

/** Undefined if a required part has none: nothing is invented. */
export function exampleOf(schema: JsonSchema, schemas: Schemas): unknown {
  const { examples, const: only, enum: choices, $ref, anyOf, type, properties, items, required } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (only !== undefined) return only;
  if (Array.isArray(choices)) return choices[0];
  if (typeof $ref === "string") return exampleOf(schemas[$ref.slice($ref.lastIndexOf("/") + 1)]!, schemas);
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as JsonSchema, schemas);
  if (type === "array") return listOf(items as JsonSchema, schemas);
  if (type !== "object" || properties === undefined) return undefined;
  const parts = Object.entries(properties as Schemas)
    .map(([name, part]) => [name, exampleOf(part, schemas)] as const)
    .filter(([, part]) => part !== undefined);
  const example = Object.fromEntries(parts);
  const isWhole = ((required ?? []) as string[]).every((name) => Object.hasOwn(example, name));
  return isWhole ? example : undefined;
}

function listOf(items: JsonSchema, schemas: Schemas): unknown {
  // An optional part without an example is omitted.
  if (items["not"] !== undefined) return [];
  const item = exampleOf(items, schemas);
  return item === undefined ? undefined : [item];
}
