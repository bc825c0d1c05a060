/** `Prefer: handling=strict` (RFC 7240, 4.4): what an operation does not know is refused instead of ignored. */
import { nearest } from "../kit/nearest.ts";
import { showValue } from "../kit/input/shown-value.ts";
import type { FieldErrors } from "../vocabulary/errors.ts";
import type { Endpoint } from "./endpoint.ts";
import type { IncomingRequest } from "./request/incoming-request.ts";
import { toJsonSchema } from "./json-schema.ts";
import type { JsonSchema } from "./json-schema.ts";

/** Says that the preference is kept. */
export const strictApplied = { "preference-applied": "handling=strict" };

/** More unknown names than these are not told, and of a longer one it is not guessed what it was to be. */
const mostTold = 20;
const longestGuessed = 64;

/** Whether the request asks for it. Of several preferences of one name the first counts (RFC 7240, 2). */
export function isStrict(request: IncomingRequest): boolean {
  const given = request.header("prefer");
  if (given === undefined) return false;
  for (const [preference] of given.matchAll(/(?:"(?:\\.|[^"\\])*"|[^,"])+/g)) {
    const [, value] = /^\s*handling\s*=\s*"?(\w+)/i.exec(preference) ?? [];
    if (value !== undefined) return value.toLowerCase() === "strict";
  }
  return false;
}

/** A sentence for each parameter and each field, however deep, that the operation does not know. */
export function findUnknown(endpoint: Endpoint, request: IncomingRequest, body: unknown): FieldErrors {
  const told = new Map<string, string[]>();
  function tell(path: string, known: string[], kind: "field" | "parameter"): void {
    if (told.size === mostTold) return;
    const shown = path.length > longestGuessed ? showValue(path).slice(1) : path;
    const name = path.slice(path.lastIndexOf(".") + 1);
    const meant = name.length > longestGuessed ? undefined : nearest(name, known);
    const guess = meant === undefined ? "" : ` Did you mean ${meant}?`;
    told.set(shown, [`There is no ${kind} ${shown}.${guess}`]);
  }

  const { query, input } = schemasOf(endpoint);
  const parameters = Object.keys((query["properties"] ?? {}) as JsonSchema);
  for (const name of new Set(request.query.keys())) {
    if (!parameters.includes(name)) tell(name, parameters, "parameter");
  }
  if (endpoint.method !== "GET") walk([input], body, "", (path, known) => tell(path, known, "field"));
  return Object.fromEntries(told);
}

/** Calls `unknown` with each field of `value` that none of `schemas` has, and with those that they have in its place. */
function walk(
  schemas: readonly JsonSchema[],
  value: unknown,
  path: string,
  unknown: (path: string, known: string[]) => void,
): void {
  const choices = schemas.flatMap(choicesOf);
  if (Array.isArray(value)) {
    const items = choices.flatMap(({ items: item }) => (item === undefined ? [] : [item as JsonSchema]));
    if (items.length > 0) for (const [place, item] of value.entries()) walk(items, item, `${path}${place}.`, unknown);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const shapes = choices.filter((choice) => choice["properties"] !== undefined);
  // A schema that names no fields takes any.
  if (shapes.length === 0 || shapes.some((shape) => isOpen(shape))) return;
  const known = Map.groupBy(
    shapes.flatMap(({ properties }) => Object.entries(properties as Record<string, JsonSchema>)),
    ([name]) => name,
  );
  for (const [name, part] of Object.entries(value)) {
    const parts = known.get(name);
    if (parts === undefined) unknown(path + name, [...known.keys()]);
    else
      walk(
        parts.map(([, schema]) => schema),
        part,
        `${path}${name}.`,
        unknown,
      );
  }
}

function choicesOf(schema: JsonSchema): JsonSchema[] {
  const choices = (schema["anyOf"] ?? schema["oneOf"] ?? schema["allOf"]) as JsonSchema[] | undefined;
  return choices === undefined ? [schema] : choices.flatMap(choicesOf);
}

function isOpen({ additionalProperties }: JsonSchema): boolean {
  return additionalProperties !== undefined && additionalProperties !== false;
}

interface Schemas {
  readonly query: JsonSchema;
  readonly input: JsonSchema;
}

const schemas = new WeakMap<Endpoint, Schemas>();

/** Made when the first strict request asks: that takes some milliseconds. */
function schemasOf(endpoint: Endpoint): Schemas {
  const made = schemas.get(endpoint) ?? {
    query: describe(endpoint.query, endpoint.method === "GET" || endpoint.method === "DELETE"),
    input: describe(endpoint.input, true),
  };
  schemas.set(endpoint, made);
  return made;
}

/** What is known beside the schema: the place of the location, which the kit reads itself. */
function describe(schema: Endpoint["input"], hasLocation: boolean): JsonSchema {
  const described = schema === undefined ? {} : toJsonSchema(schema, "input");
  const location = hasLocation ? { location_id: {} } : {};
  return { ...described, properties: { ...location, ...(described["properties"] as JsonSchema | undefined) } };
}
