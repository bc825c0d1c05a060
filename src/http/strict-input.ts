/** `Prefer: handling=strict` (RFC 7240, 4.4): unknown fields and parameters are refused instead of ignored. */
import { nearest } from "../kit/nearest.ts";
import { showValue } from "../kit/input/shown-value.ts";
import type { FieldErrors } from "../vocabulary/errors.ts";
import type { AnyOperation } from "../operation/operation.ts";
import type { Endpoint } from "./endpoint.ts";
import type { IncomingRequest } from "./request/incoming-request.ts";
import { toJsonSchema } from "./json-schema.ts";
import type { JsonSchema } from "./json-schema.ts";
import { unknownFields } from "./unknown-fields.ts";

/** Confirms the preference. */
export const strictApplied = { "preference-applied": "handling=strict" };

/** Maximum number of unknown names reported, and maximum length of a name that gets a suggestion. */
const mostTold = 20;
const longestGuessed = 64;

/** An unclosed quote extends to the end: searching for its end from each position would be quadratic. */
const preferences = /(?:"(?:\\.?|[^"\\])*(?:"|$)|[^,"])+/g;

/** Whether the request is strict. Of repeated preferences the first counts (RFC 7240, 2). */
export function isStrict(request: IncomingRequest): boolean {
  const given = request.header("prefer");
  if (given === undefined) return false;
  for (const [preference] of given.matchAll(preferences)) {
    const [, value] = /^\s*handling\s*=\s*"?(\w+)/i.exec(preference) ?? [];
    if (value !== undefined) return value.toLowerCase() === "strict";
  }
  return false;
}

/** A sentence for each unknown parameter and field, at any depth. */
export function findUnknown(endpoint: Endpoint, request: IncomingRequest, body: unknown): FieldErrors {
  const { query, input } = schemasOf(endpoint);
  const parameters = Object.keys((query["properties"] ?? {}) as JsonSchema);
  const told = new Map<string, string[]>();
  for (const name of new Set(request.query.keys())) {
    if (told.size < mostTold && !parameters.includes(name)) told.set(...tell("parameter", name, parameters));
  }
  if (endpoint.method === "GET") return Object.fromEntries(told);
  for (const { path, known } of unknownFields(input, body)) {
    if (told.size >= mostTold) break;
    told.set(...tell("field", path, known));
  }
  return Object.fromEntries(told);
}

/** The name as shown, and its sentence. */
function tell(kind: "field" | "parameter", path: string, known: readonly string[]): [string, string[]] {
  const shown = path.length > longestGuessed ? showValue(path).slice(1) : path;
  const name = path.slice(path.lastIndexOf(".") + 1);
  const meant = name.length > longestGuessed ? undefined : nearest(name, known);
  const guess = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return [shown, [`There is no ${kind} ${shown}.${guess}`]];
}

interface EndpointSchemas {
  readonly query: JsonSchema;
  readonly input: JsonSchema;
}

const schemas = new WeakMap<Endpoint, EndpointSchemas>();

/** Created on the first strict request, in a few milliseconds. */
function schemasOf(endpoint: Endpoint): EndpointSchemas {
  const made = schemas.get(endpoint) ?? {
    query: describe(endpoint.operation.query, endpoint.method === "GET" || endpoint.method === "DELETE"),
    input: describe(endpoint.operation.input, true),
  };
  schemas.set(endpoint, made);
  return made;
}

/** Known beside the schema: `location_id`, which the kit reads. */
function describe(schema: AnyOperation["input"], hasLocation: boolean): JsonSchema {
  const described = schema === undefined ? {} : toJsonSchema(schema, "input");
  const location = hasLocation ? { location_id: {} } : {};
  return { ...described, properties: { ...location, ...(described["properties"] as JsonSchema | undefined) } };
}
