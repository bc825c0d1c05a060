/** Sends an answer that is whole, under the id of its request. */
import { FastResponse } from "srvx";
import type { WholeAnswer } from "../answer.ts";
import type { IncomingRequest } from "../request/incoming-request.ts";

/** From this many characters on a body leaves as bytes: Node makes one text of head and body, of a long one a second copy. */
const long = 16_384;

/**
 * Straight to Node: on the way through a Response every header is copied three times, and head and body leave as two texts. Node
 * leaves the body out for a HEAD. Throws, with nothing sent, for a status or a header that HTTP does not know.
 */
export function sendWhole(
  { status, body, headers: given }: WholeAnswer,
  { id, response }: Pick<IncomingRequest, "id" | "response">,
): void {
  const headers: Record<string, string | readonly string[]> = { ...given, "x-request-id": id };
  const whole = typeof body === "string" && body.length >= long ? Buffer.from(body) : body;
  if (whole !== null) headers["content-length"] = String(Buffer.byteLength(whole));
  response.writeHead(status, headers as Record<string, string | string[]>);
  response.end(whole);
}

/** For h3, where everything was sent already. */
export function nothingMore(): Response {
  return new FastResponse(null);
}
