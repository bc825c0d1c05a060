/** Sends a complete response with its request ID. */
import type { ServerResponse } from "node:http";
import { FastResponse } from "srvx";
import { TextPieces } from "../../kit/json/text-pieces.ts";
import { awaitPieceTurn } from "../../kit/waiting/fair-lock.ts";
import type { WholeResponse } from "../http-response.ts";
import type { IncomingRequest } from "../request/incoming-request.ts";

/**
 * Above this many characters a body is sent as a buffer: Node would concatenate headers and body into a second copy.
 */
const long = 16_384;

/**
 * Written directly to Node: a Response would copy every header three times and write headers and body separately. Node
 * omits the body for HEAD. Throws, with nothing sent, for an invalid status or header. A promise, of which nothing rejects: the rest of a
 * body in pieces.
 */
export function sendWhole(
  { status, body, headers: given }: WholeResponse,
  { id, response }: Pick<IncomingRequest, "id" | "response">,
): Promise<void> | void {
  const headers: Record<string, string | readonly string[]> = { ...given, "x-request-id": id };
  // One set before (cross-origin.ts) stays.
  if (given["vary"] !== undefined && response.hasHeader("vary"))
    headers["vary"] = `${String(response.getHeader("vary"))}, ${String(given["vary"])}`;
  // At once: a text that waited for its turns would fill the heap, its bytes lie outside of it.
  const whole = typeof body === "string" && body.length >= long ? Buffer.from(body) : body;
  if (whole !== null)
    headers["content-length"] = String(whole instanceof TextPieces ? whole.byteLength : Buffer.byteLength(whole));
  response.writeHead(status, headers as Record<string, string | string[]>);
  if (whole instanceof TextPieces) return sendPieces(whole, response);
  response.end(whole);
}

/** Without backpressure: unsent bytes count as unread (connection/slow-readers.ts) only once they were handed to the socket. */
async function sendPieces({ pieces }: TextPieces, response: ServerResponse): Promise<void> {
  for (const piece of pieces) {
    await awaitPieceTurn();
    // The client is gone.
    if (response.destroyed) return;
    response.write(piece);
  }
  response.end();
}

/** Tells h3 that the response was sent already. */
export function nothingMore(): Response {
  return new FastResponse(null);
}
