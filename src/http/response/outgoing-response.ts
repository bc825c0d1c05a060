/** Turns an answer into what h3 sends, under the id of its request. */
import { FastResponse } from "srvx";
import type { AnswerHeaders, WholeAnswer } from "../answer.ts";

/** From this many characters on a body leaves as bytes: Node makes one text of head and body, of a long one a second copy. */
const long = 16_384;

export function toResponse({ status, body, headers: given }: WholeAnswer, requestId: string): Response {
  const headers: Record<string, string | readonly string[]> = { ...given, "x-request-id": requestId };
  const whole = typeof body === "string" && body.length >= long ? Buffer.from(body) : body;
  if (typeof whole === "string" || whole instanceof Uint8Array) {
    headers["content-length"] = String(Buffer.byteLength(whole));
  }
  return new FastResponse(whole as string | null, { status, headers: toInit(headers) });
}

/** A header of several values goes out once for each: Set-Cookie cannot be joined (RFC 6265, 3). */
function toInit(headers: AnswerHeaders): Record<string, string> | [string, string][] {
  for (const name in headers) {
    if (typeof headers[name] !== "string") {
      return Object.entries(headers).flatMap(([header, values]) =>
        [values].flat().map((value): [string, string] => [header, value]),
      );
    }
  }
  return headers as Record<string, string>;
}

/** For h3, where everything was sent already. */
export function nothingMore(): Response {
  return new FastResponse(null);
}
