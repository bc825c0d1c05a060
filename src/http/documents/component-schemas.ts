/** Schemas below `components`, each once, and without JavaScript's integer bounds. */
import type { z } from "zod";
import { toJsonSchema } from "../json-schema.ts";
import type { JsonSchema } from "../json-schema.ts";

export type Schemas = Record<string, JsonSchema>;

const referred = "#/components/schemas/";

/** The schema of a response: named shapes (`meta({ id })`), also nested ones, go to `schemas`. */
export function nameOutput(schema: z.ZodType, schemas: Schemas): JsonSchema {
  const own = hoist(toJsonSchema(schema, "output"), schemas);
  const name = schema.meta()?.id;
  return name === undefined ? own : add(name, own, schemas);
}

/** Fields that the kit reads besides those of a schema. */
export interface Beside {
  readonly properties: Schemas;
  readonly required: readonly string[];
  readonly example: object;
}

interface BodySchema extends JsonSchema {
  readonly properties?: Schemas;
  readonly required?: readonly string[];
  readonly examples?: readonly object[];
}

/** createContact → CreateContactInput */
export function inputName(operation: string): string {
  return `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Input`;
}

/** The named schema of a request body. */
export function nameInput(name: string, schema: z.ZodType | undefined, beside: Beside, schemas: Schemas): JsonSchema {
  const sent: BodySchema = schema === undefined ? { type: "object" } : hoist(toJsonSchema(schema, "input"), schemas);
  const required = [...beside.required, ...(sent.required ?? [])];
  const whole = {
    ...sent,
    properties: { ...beside.properties, ...sent.properties },
    examples: [{ ...beside.example, ...sent.examples?.[0] }],
  };
  return add(name, required.length === 0 ? whole : { ...whole, required }, schemas);
}

/** The parameters of a query, by name. */
export function queryParameters(schema: z.ZodType): { name: string; required: boolean; schema: JsonSchema }[] {
  const { properties = {}, required = [] } = tidy(toJsonSchema(schema, "input")) as {
    properties?: Schemas;
    required?: string[];
  };
  return Object.entries(properties).map(([name, parameter]) => ({
    name,
    required: required.includes(name),
    schema: withoutNull(parameter),
  }));
}

function add(name: string, schema: JsonSchema, schemas: Schemas): JsonSchema {
  const $ref = referred + name;
  // Recursive and reused shapes are already definitions with their own names.
  if (schema["$ref"] !== $ref) schemas[name] = schema;
  return { $ref };
}

function hoist({ $defs, ...own }: JsonSchema, schemas: Schemas): JsonSchema {
  for (const [name, { id: _id, ...definition }] of Object.entries(($defs ?? {}) as Schemas)) {
    schemas[name] = tidy(definition) as JsonSchema;
  }
  return tidy(own) as JsonSchema;
}

/** Moves definitions to the document, gives integers the format int64, and turns nullable into a type list. */
function tidy(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(tidy);
  if (typeof part !== "object" || part === null) return part;
  const { anyOf, ...schema } = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, tidy(value)]));
  const [first, second, ...more] = (anyOf ?? []) as JsonSchema[];
  if (scalars.has(first?.["type"]) && second?.["type"] === "null" && more.length === 0) {
    const values = first!["enum"];
    const listed = Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {};
    return { ...first, ...listed, type: [first!["type"], "null"], ...schema };
  }
  if (anyOf !== undefined) return { anyOf, ...schema };
  if (typeof schema["$ref"] === "string") return { ...schema, $ref: schema["$ref"].replace("#/$defs/", referred) };
  // The format says the same.
  if (schema["format"] === "date-time") delete schema["pattern"];
  return schema["type"] === "integer" ? tidyInteger(schema) : schema;
}

const scalars = new Set<unknown>(["string", "integer", "number", "boolean"]);

/** JavaScript's safe integer bounds are noise, and produced examples such as -9007199254740991. */
function tidyInteger({ minimum, maximum, exclusiveMinimum, ...schema }: JsonSchema): JsonSchema {
  const least = exclusiveMinimum === 0 ? 1 : minimum;
  return {
    ...schema,
    format: "int64",
    ...(least === undefined || least === Number.MIN_SAFE_INTEGER ? {} : { minimum: least }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  };
}

/** A query has no null. */
function withoutNull({ type, ...schema }: JsonSchema): JsonSchema {
  return { type: Array.isArray(type) ? type[0] : type, ...schema };
}
