/** Sends a complete response with its request ID. */
import { FastResponse } from "srvx";
import type { WholeResponse } from "../http-response.ts";
import type { IncomingRequest } from "../request/incoming-request.ts";

/**
 * Above this many characters a body is sent as a buffer: Node would concatenate headers and body into a second copy.
 */
const long = 16_384;

/**
 * Written directly to Node: a Response would copy every header three times and write headers and body separately. Node
 * omits the body for HEAD. Throws, with nothing sent, for an invalid status or header.
 */
export function sendWhole(
  { status, body, headers: given }: WholeResponse,
  { id, response }: Pick<IncomingRequest, "id" | "response">,
): void {
  const headers: Record<string, string | readonly string[]> = { ...given, "x-request-id": id };
  // One set before (cross-origin.ts) stays.
  if (given["vary"] !== undefined && response.hasHeader("vary"))
    headers["vary"] = `${String(response.getHeader("vary"))}, ${String(given["vary"])}`;
  const whole = typeof body === "string" && body.length >= long ? Buffer.from(body) : body;
  if (whole !== null) headers["content-length"] = String(Buffer.byteLength(whole));
  response.writeHead(status, headers as Record<string, string | string[]>);
  response.end(whole);
}

/** Tells h3 that the response was sent already. */
export function nothingMore(): Response {
  return new FastResponse(null);
}
