/** Reads `location_id` from where the specification puts it: the query of a GET, the body of everything else; a DELETE may use both. */
import { isObject } from "../../kit/input/json-object.ts";
import { toId } from "../../kit/input/id.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import type { IncomingRequest } from "./incoming-request.ts";

/** Undefined when there is none. Refuses `location.not_found` for one that is no id, or stands in a query twice. */
export function readLocationId(request: IncomingRequest, body: unknown): number | undefined {
  const given = readsQuery(request) ? undefined : inBody(body);
  if (given !== undefined && given !== null) return requireId(given);
  if (!readsQuery(request) && request.method !== "DELETE") return undefined;
  const [text, ...more] = request.query.getAll("location_id");
  if (more.length > 0) throw refusal("location_id stands in the query more than once.");
  return text === undefined ? undefined : requireId(text);
}

/**
 * The location that a request seems to name, `bytes` being what is in hand of its body: good enough to look it up together with the
 * credential, before anything is judged. What `readLocationId` says counts.
 */
export function guessLocationId(request: IncomingRequest, bytes: Buffer | undefined): number | undefined {
  const inBytes = bytes === undefined ? null : mention.exec(bytes.toString("latin1"));
  return toId(inBytes?.[1] ?? request.query.get("location_id"));
}

const mention = /"location_id"\s*:\s*"?([0-9]{1,16})/;

/** The refusal of a request that names no location, with what is wrong with it. */
export function missingLocation(request: IncomingRequest, body: unknown): Refusal {
  if (!readsQuery(request) && request.method !== "DELETE" && request.query.has("location_id")) {
    return refusal(`location_id stands in the query: in a ${request.method} it goes into the JSON body.`);
  }
  if (body !== undefined && !isObject(body)) return refusal("The body must be a JSON object with location_id in it.");
  return refusal("location_id is missing: it goes into the query of a GET and into the JSON body otherwise.");
}

function readsQuery({ method }: IncomingRequest): boolean {
  return method === "GET" || method === "HEAD";
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
