/**
 * Unknown fields and parameters: ignored, and named in the response; with `Prefer: handling=strict` (RFC 7240, 4.4) refused instead.
 */
import { nearest } from "../kit/nearest.ts";
import { showValue } from "../kit/input/shown-value.ts";
import type { FieldErrors } from "../vocabulary/errors.ts";
import type { AnyOperation } from "../operation/operation.ts";
import type { Endpoint } from "./endpoint.ts";
import type { IncomingRequest } from "./request/incoming-request.ts";
import { toJsonSchema } from "./json-schema.ts";
import type { JsonSchema } from "./json-schema.ts";
import { KnownFields } from "./unknown-fields.ts";
import { uploadParameters } from "./upload-parameters.ts";

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
  const unknown = new Map<string, string[]>();
  for (const { kind, path, known } of unknownOf(endpoint, request, body)) {
    unknown.set(...tell(kind, path, known));
    if (unknown.size === mostTold) break;
  }
  return Object.fromEntries(unknown);
}

/** The header of a 2xx response whose request had unknown parameters or fields: their names, each once; none otherwise. */
export function unknownFieldsHeader(
  endpoint: Endpoint,
  request: IncomingRequest,
  body: unknown,
): Readonly<Record<string, string>> {
  const names = new Set<string>();
  for (const { path } of unknownOf(endpoint, request, body)) {
    names.add(encodeURIComponent(showName(path).toWellFormed()));
    if (names.size === mostTold) break;
  }
  return names.size === 0 ? {} : { "x-unknown-fields": [...names].join(", ") };
}

interface Unknown {
  readonly kind: "field" | "parameter";
  readonly path: string;
  readonly known: readonly string[];
}

function* unknownOf(endpoint: Endpoint, request: IncomingRequest, body: unknown): Generator<Unknown> {
  const { parameters, fields } = knownOf(endpoint);
  for (const name of request.query.keys()) {
    if (!parameters.has(name)) yield { kind: "parameter", path: name, known: [...parameters] };
  }
  if (endpoint.method === "GET" || endpoint.fileBytes !== undefined) return;
  for (const found of fields.unknownIn(body)) yield { kind: "field", ...found };
}

/** The name as shown, and its sentence. */
function tell(kind: Unknown["kind"], path: string, known: readonly string[]): [string, string[]] {
  const shown = showName(path);
  const name = path.slice(path.lastIndexOf(".") + 1);
  const meant = name.length > longestGuessed ? undefined : nearest(name, known);
  const guess = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return [shown, [`There is no ${kind} ${shown}.${guess}`]];
}

function showName(path: string): string {
  return path.length > longestGuessed ? showValue(path).slice(1) : path;
}

interface KnownNames {
  readonly parameters: ReadonlySet<string>;
  readonly fields: KnownFields;
}

const knownNames = new WeakMap<Endpoint, KnownNames>();

/** Created at the first request, in a few milliseconds. */
function knownOf(endpoint: Endpoint): KnownNames {
  const found = knownNames.get(endpoint);
  if (found !== undefined) return found;
  const { query, input } = endpoint.operation;
  const isUpload = endpoint.fileBytes !== undefined;
  const { properties } = isUpload
    ? describe(uploadParameters(endpoint.operation), true)
    : describe(query, endpoint.method === "GET" || endpoint.method === "DELETE");
  const made = {
    parameters: new Set(Object.keys(properties)),
    fields: KnownFields.of(describe(isUpload ? undefined : input, true)),
  };
  knownNames.set(endpoint, made);
  return made;
}

/** Known beside the schema: `location_id`, which the kit reads. */
function describe(schema: AnyOperation["input"], hasLocation: boolean): JsonSchema & { properties: JsonSchema } {
  const described = schema === undefined ? {} : toJsonSchema(schema, "input");
  const location = hasLocation ? { location_id: {} } : {};
  return { ...described, properties: { ...location, ...(described["properties"] as JsonSchema | undefined) } };
}
