/** The OpenAPI document reduced to what the types of `crm-client` show: inputs, successful answers and events. */
import { documentedEvents } from "../../src/crm/event-log/event.samples.ts";
import { toOpenApi } from "../../src/http/documents/openapi.ts";
import { endpoints } from "../../src/operations.ts";
import { routeDocuments } from "../../src/routes.ts";

export interface Schema {
  readonly $ref?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Content {
  readonly [mediaType: string]: { readonly schema: Schema };
}

interface Answer {
  readonly description: string;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
}

/** The document that a service of this code answers at /openapi.json. */
export function currentDocument(): ApiDocument {
  const contents = { endpoints, routes: routeDocuments, events: documentedEvents() };
  return toOpenApi(contents, { version: "0", serverUrl: "/" }) as unknown as ApiDocument;
}

/** A document of nothing but the schemas in `roots` and those that they refer to; `location_id` is optional, since the client fills it in. */
export function reduceDocument({ components }: ApiDocument, roots: Readonly<Record<string, Schema>>): object {
  const schemas: Readonly<Record<string, Schema>> = { ...components["schemas"], ...roots };
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      follow(schemas[name]);
    }
  };
  const names = Object.keys(roots);
  for (const name of names) used.add(name);
  follow(roots);
  const kept = Object.entries(schemas).flatMap(([name, schema]) =>
    used.has(name) ? [[name, tidy(withoutLocation(name, schema))]] : [],
  );
  return {
    openapi: "3.1.0",
    info: { title: "crm", version: "0" },
    paths: {},
    components: { schemas: Object.fromEntries(kept) },
  };
}

/** The query of an operation as one schema. */
export function queryAsSchema(parameters: readonly Parameter[]): Schema {
  const query = parameters.filter((parameter) => parameter.in === "query");
  return {
    type: "object",
    properties: Object.fromEntries(
      query.map(({ name, description, schema }) => [
        name,
        {
          ...(name === "filters" ? filters : withNumbers(schema)),
          ...(description === undefined ? {} : { description }),
        },
      ]),
    ),
    required: query.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

/** Digits in a text may be given as a number. */
function withNumbers(schema: Schema): Schema {
  const [example] = Array.isArray(schema["examples"]) ? (schema["examples"] as unknown[]) : [];
  return schema["type"] === "string" && /^\d+$/.test(String(example))
    ? { ...schema, type: ["string", "integer"] }
    : schema;
}

const whichLocation = "The location of the request; by default the client's. `null` leaves it out.";

/** The client writes them as JSON. */
const object: Schema = { type: "object", additionalProperties: true };
const filters: Schema = { anyOf: [{ type: "string" }, { type: "array", items: object }, object] };

function withoutLocation(name: string, schema: Schema): Schema {
  if (!/(?:Input|Query)$/.test(name) || schema.properties?.["location_id"] === undefined) return schema;
  return {
    ...schema,
    properties: { ...schema.properties, location_id: { type: ["integer", "null"], description: whichLocation } },
    required: schema.required?.filter((field) => field !== "location_id") ?? [],
  };
}

/** Without examples, and formats but those of times. */
function tidy(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(tidy);
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) => {
      // A property may have one of these names: its value is a schema.
      const isKeyword = typeof value !== "object" || Array.isArray(value);
      const isDropped = isKeyword && (key === "examples" || (key === "format" && value !== "date-time"));
      return isDropped ? [] : [[key, tidy(value)]];
    }),
  );
}
