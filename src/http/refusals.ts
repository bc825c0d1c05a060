/** The one place where what the domain throws becomes an answer. */
import { describeRefusal, Invalid, Refusal, Unavailable } from "../vocabulary/errors.ts";
import type { RefusalCode } from "../vocabulary/errors.ts";
import { jsonAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";

/** A client that is told to come back later is told when. */
const retrySeconds = "1";

const closing = new Set<RefusalCode>([
  "bad_request",
  "expectation_failed",
  "headers_too_large",
  "payload_too_large",
  "request_timeout",
]);

/** The body that the specification shows is `{"error": code}` alone; our own codes add a sentence and the request id. */
export function refusalAnswer(refusal: Refusal, requestId: string, headers: Record<string, string> = {}): Answer {
  const { status, message } = describeRefusal(refusal.code);
  const body =
    message === undefined
      ? { error: refusal.code }
      : { error: refusal.code, message, ...refusal.details, request_id: requestId };
  return jsonAnswer(status, JSON.stringify(body), { ...headers, ...headersOf(refusal.code) });
}

function headersOf(code: RefusalCode): Record<string, string> {
  if (code === "unavailable" || code === "request_in_progress") return { "retry-after": retrySeconds };
  // What was not read would be taken for the next request.
  if (closing.has(code)) return { connection: "close" };
  return {};
}

/** 429, as the specification shows it. */
export function tooManyRequests(waitSeconds: number, headers: Record<string, string>): Answer {
  const message = `Too many requests. Try again in ${waitSeconds} ${waitSeconds === 1 ? "second" : "seconds"}.`;
  return jsonAnswer(429, JSON.stringify({ message }), { ...headers, "retry-after": String(waitSeconds) });
}

/** `report` hears of what is not the client's doing: faults of the database, and defects of ours. */
export function errorAnswer(
  error: unknown,
  requestId: string,
  report: (error: unknown) => void,
  headers: Record<string, string> = {},
): Answer {
  if (error instanceof Refusal) return refusalAnswer(error, requestId, headers);
  if (error instanceof Invalid) {
    return jsonAnswer(422, JSON.stringify({ message: error.message, errors: error.errors }), headers);
  }
  report(error);
  return refusalAnswer(new Refusal(error instanceof Unavailable ? "unavailable" : "server_error"), requestId, headers);
}
