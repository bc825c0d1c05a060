/** `Prefer: handling=strict` (RFC 7240, 4.4): what an operation does not know is refused instead of ignored. */
import { nearest } from "../kit/nearest.ts";
import { showValue } from "../kit/input/shown-value.ts";
import type { FieldErrors } from "../vocabulary/errors.ts";
import type { AnyOperation } from "../operation/operation.ts";
import type { Endpoint } from "./endpoint.ts";
import type { IncomingRequest } from "./request/incoming-request.ts";
import { toJsonSchema } from "./json-schema.ts";
import type { JsonSchema } from "./json-schema.ts";
import { unknownFields } from "./unknown-fields.ts";

/** Says that the preference is kept. */
export const strictApplied = { "preference-applied": "handling=strict" };

/** More unknown names than these are not told, and of a longer one it is not guessed what it was to be. */
const mostTold = 20;
const longestGuessed = 64;

/** A quote that is never closed holds all that follows it: to look for its end from each place again would take seconds. */
const preferences = /(?:"(?:\\.?|[^"\\])*(?:"|$)|[^,"])+/g;

/** Whether the request asks for it. Of several preferences of one name the first counts (RFC 7240, 2). */
export function isStrict(request: IncomingRequest): boolean {
  const given = request.header("prefer");
  if (given === undefined) return false;
  for (const [preference] of given.matchAll(preferences)) {
    const [, value] = /^\s*handling\s*=\s*"?(\w+)/i.exec(preference) ?? [];
    if (value !== undefined) return value.toLowerCase() === "strict";
  }
  return false;
}

/** A sentence for each parameter and each field, however deep, that the operation does not know. */
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

/** The name as it is shown, and what is said of it. */
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

/** Made when the first strict request asks: that takes some milliseconds. */
function schemasOf(endpoint: Endpoint): EndpointSchemas {
  const made = schemas.get(endpoint) ?? {
    query: describe(endpoint.operation.query, endpoint.method === "GET" || endpoint.method === "DELETE"),
    input: describe(endpoint.operation.input, true),
  };
  schemas.set(endpoint, made);
  return made;
}

/** What is known beside the schema: the place of the location, which the kit reads itself. */
function describe(schema: AnyOperation["input"], hasLocation: boolean): JsonSchema {
  const described = schema === undefined ? {} : toJsonSchema(schema, "input");
  const location = hasLocation ? { location_id: {} } : {};
  return { ...described, properties: { ...location, ...(described["properties"] as JsonSchema | undefined) } };
}
