/** The one place where what is thrown becomes an answer: described first, then put into the form of its address. */
import { describeRefusal, Invalid, Refusal, TooManyRequests, Unavailable } from "../vocabulary/errors.ts";
import type { FieldErrors, RefusalCode } from "../vocabulary/errors.ts";
import { jsonAnswer } from "./answer.ts";
import { challengeScope } from "./request/bearer.ts";
import type { AnswerHeaders, TextAnswer, WholeAnswer } from "./answer.ts";
import type { IncomingRequest } from "./request/incoming-request.ts";

/** What went wrong, before it has a form. */
export interface Failure {
  readonly status: number;
  readonly code: RefusalCode | "invalid" | "too_many_requests";
  /** A sentence for people. */
  readonly message: string;
  /** Further members of a body. */
  readonly details: Readonly<Record<string, string>>;
  /** Each failing field with its sentences; of `invalid` alone. */
  readonly errors: FieldErrors | undefined;
  readonly requestId: string;
}

/** Makes an answer of a failure. What the protocol asks for (Allow, Retry-After, Connection) is added to whatever it gives. */
export type FailureForm = (failure: Failure, request: IncomingRequest) => WholeAnswer;

interface FailureOptions {
  /** Hears of what is not the client's doing: faults of the database, and defects of ours. */
  readonly report: (error: unknown) => void;
  readonly form?: FailureForm | undefined;
  /** Sent along whatever the failure is. */
  readonly headers?: AnswerHeaders;
}

/** The answer to a request in whose course `error` was thrown. */
export function failureAnswer(
  error: unknown,
  request: IncomingRequest,
  { report, form = toJsonFailure, headers = {} }: FailureOptions,
): WholeAnswer {
  if (!isOfTheClient(error)) report(error);
  let [failure, own] = describe(error, request.id);
  let answer: WholeAnswer;
  try {
    answer = form(failure, request);
  } catch (defect) {
    report(defect);
    [failure, own] = describe(defect, request.id);
    answer = toJsonFailure(failure);
  }
  return { ...answer, headers: { ...answer.headers, ...headers, ...own } };
}

/** The same in JSON, for what was refused before it was a request. */
export function refusalAnswer(refusal: Refusal, requestId: string): TextAnswer {
  const [failure, own] = describe(refusal, requestId);
  const answer = toJsonFailure(failure);
  return { ...answer, headers: { ...answer.headers, ...own } };
}

/** The bodies of the specification to the letter: the code alone, where it shows no more. Our own add a sentence and the request id. */
export function toJsonFailure({ status, code, message, details, errors, requestId }: Failure): TextAnswer {
  if (code === "invalid") return jsonAnswer(status, JSON.stringify({ message, errors }));
  if (code === "too_many_requests") return jsonAnswer(status, JSON.stringify({ message }));
  if (describeRefusal(code).message === undefined) return jsonAnswer(status, JSON.stringify({ error: code }));
  return jsonAnswer(status, JSON.stringify({ error: code, message, ...details, request_id: requestId }));
}

function isOfTheClient(error: unknown): boolean {
  return error instanceof Refusal || error instanceof Invalid || error instanceof TooManyRequests;
}

/** What `error` is, and the headers that HTTP asks for with it. */
function describe(error: unknown, requestId: string): [Failure, Record<string, string>] {
  const nothing = { details: {}, errors: undefined, requestId };
  if (error instanceof Invalid) {
    const { message, errors } = error;
    return [{ ...nothing, status: 422, code: "invalid", message, errors }, {}];
  }
  if (error instanceof TooManyRequests) {
    const { message, waitSeconds } = error;
    return [{ ...nothing, status: 429, code: "too_many_requests", message }, { "retry-after": String(waitSeconds) }];
  }
  const refusal = toRefusal(error);
  const { status, message: standard = refusal.detail ?? "" } = describeRefusal(refusal.code);
  const { message = standard, ...details } = refusal.details;
  return [{ ...nothing, status, code: refusal.code, message, details }, headersOf(refusal)];
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal(error instanceof Unavailable ? "unavailable" : "server_error");
}

/** A client that is told to come back later is told when. */
const retrySeconds = "1";

const closing = new Set<RefusalCode>([
  "bad_request",
  "expectation_failed",
  "headers_too_large",
  "payload_too_large",
  "request_timeout",
]);

function headersOf({ code, detail, details }: Refusal): Record<string, string> {
  // The body is the code alone: whoever reads it by eye finds here what to do.
  if (detail !== undefined) return { "x-error-detail": detail.replaceAll(/[^ -~]/g, "?") };
  if (code === "insufficient_scope") return { "www-authenticate": challengeScope(details["required_scope"] ?? "") };
  if (code === "unavailable" || code === "processor_unavailable" || code === "request_in_progress")
    return { "retry-after": retrySeconds };
  // Which content codings are taken (RFC 9110, 15.5.16).
  if (code === "unsupported_media_type") return { "accept-encoding": "identity" };
  // What was not read would be taken for the next request.
  if (closing.has(code)) return { connection: "close" };
  return {};
}
