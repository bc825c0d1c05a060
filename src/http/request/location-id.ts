/** Reads `location_id`: from the query of a GET and of an upload, the body of other methods, either of a DELETE. */
import { isObject } from "../../kit/json/json-object.ts";
import { toId } from "../../kit/input/id.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import type { IncomingRequest } from "./incoming-request.ts";

/** Undefined if absent. Refuses `location.not_found` if it is no ID or repeated in the query. */
export function readLocationId(request: IncomingRequest, body: unknown, inQuery: boolean): number | undefined {
  const given = inQuery ? undefined : inBody(body);
  if (given !== undefined && given !== null) return requireId(given);
  if (!inQuery && request.method !== "DELETE") return undefined;
  const [text, ...more] = request.query.getAll("location_id");
  if (more.length > 0) throw refusal("location_id appears more than once in the query.");
  return text === undefined ? undefined : requireId(text);
}

/**
 * A guess of the location from `bytes`, the part of the body received: enough to look it up together with the
 * credential, before validation. `readLocationId` decides.
 */
export function guessLocationId(request: IncomingRequest, bytes: Buffer | undefined): number | undefined {
  const inBytes = bytes === undefined ? null : mention.exec(bytes.toString("latin1"));
  return toId(inBytes?.[1] ?? request.query.get("location_id"));
}

const mention = /"location_id"\s*:\s*"?([0-9]{1,16})/;

/** The refusal of a request without a location, with the reason. */
export function missingLocation(request: IncomingRequest, body: unknown, inQuery: boolean): Refusal {
  if (isMisplaced(request, inQuery)) {
    return refusal(`location_id is in the query: a ${request.method} takes it in the JSON body.`);
  }
  if (body !== undefined && !isObject(body))
    return refusal("The body must be a JSON object that contains location_id.");
  return refusal("location_id is missing: it goes into the query of a GET and into the JSON body otherwise.");
}

/**
 * Whether the query names a location for which this method asks in the body. Where a location is optional, ignoring it would
 * act on the whole workspace in place of the one location that is meant.
 */
export function isMisplaced({ method, query }: IncomingRequest, inQuery: boolean): boolean {
  return !inQuery && method !== "DELETE" && query.has("location_id");
}

function inBody(body: unknown): unknown {
  return isObject(body) ? body["location_id"] : undefined;
}

function requireId(value: unknown): number {
  const id = toId(value);
  if (id === undefined) throw refusal("location_id must be a positive integer.");
  return id;
}

function refusal(detail: string): Refusal {
  return new Refusal("location.not_found", {}, { detail });
}
