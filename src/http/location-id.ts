/** Reads `location_id` from where the specification puts it: the query of a GET, the body of everything else. */
import type { IncomingRequest } from "./incoming-request.ts";

/** A positive safe integer; `"invalid"` for anything else that was sent; undefined when nothing was. */
export function readLocationId(request: IncomingRequest, body: unknown): number | "invalid" | undefined {
  if (request.method === "GET" || request.method === "HEAD") {
    const [text, ...more] = request.query.getAll("location_id");
    if (text === undefined) return undefined;
    return more.length === 0 ? (toId(text) ?? "invalid") : "invalid";
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const value = (body as Record<string, unknown>)["location_id"];
  if (value === undefined || value === null) return undefined;
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : "invalid";
}

/** The id that digits write; undefined for other text, and for a number that no row can have. */
export function toId(text: string): number | undefined {
  if (!/^[0-9]{1,16}$/.test(text)) return undefined;
  const id = Number(text);
  return id > 0 && Number.isSafeInteger(id) ? id : undefined;
}
