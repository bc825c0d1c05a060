/** Maps every thrown error to a response: first a description, then the form of its address. */
import { describeRefusal, Invalid, Refusal, TooManyRequests, Unavailable } from "../vocabulary/errors.ts";
import type { FieldErrors, RefusalCode } from "../vocabulary/errors.ts";
import { jsonResponse } from "./http-response.ts";
import { challengeScope, Unauthenticated } from "./request/bearer.ts";
import type { ResponseHeaders, TextResponse, WholeResponse } from "./http-response.ts";
import type { IncomingRequest } from "./request/incoming-request.ts";

/** An error, independent of its form. */
export interface Failure {
  readonly status: number;
  readonly code: RefusalCode | "invalid" | "too_many_requests";
  /** A sentence for people. */
  readonly message: string;
  /** Further members of the body. */
  readonly details: Readonly<Record<string, string>>;
  /** Every invalid field with its sentences; only for `invalid`. */
  readonly errors: FieldErrors | undefined;
  readonly requestId: string;
}

/** Renders a failure. Protocol headers (Allow, Retry-After, Connection) are added to its result. */
export type FailureForm = (failure: Failure, request: IncomingRequest) => WholeResponse;

interface FailureOptions {
  /** Reports errors not caused by the client: failures of the database and other servers, and defects. */
  readonly report: (error: unknown) => void;
  readonly form?: FailureForm | undefined;
  /** Sent with every failure. */
  readonly headers?: ResponseHeaders;
}

/** The response to a request that threw `error`. */
export function failureAnswer(
  error: unknown,
  request: IncomingRequest,
  { report, form = toJsonFailure, headers = {} }: FailureOptions,
): WholeResponse {
  const fault = faultOf(error);
  if (fault !== undefined) report(fault);
  let [failure, own] = describe(error, request.id);
  let answer: WholeResponse;
  try {
    answer = form(failure, request);
  } catch (defect) {
    report(defect);
    [failure, own] = describe(defect, request.id);
    answer = toJsonFailure(failure);
  }
  return { ...answer, headers: { ...answer.headers, ...headers, ...own } };
}

/** The same in JSON, for input rejected before it was a request. */
export function refusalAnswer(refusal: Refusal, requestId: string): TextResponse {
  const [failure, own] = describe(refusal, requestId);
  const answer = toJsonFailure(failure);
  return { ...answer, headers: { ...answer.headers, ...own } };
}

/**
 * Bodies as in the specification: the code alone where it shows nothing else; extensions add a sentence and the request
 * ID.
 */
export function toJsonFailure({ status, code, message, details, errors, requestId }: Failure): TextResponse {
  if (code === "invalid") return jsonResponse(status, JSON.stringify({ message, errors }));
  if (code === "too_many_requests") return jsonResponse(status, JSON.stringify({ message }));
  if (describeRefusal(code).message === undefined) return jsonResponse(status, JSON.stringify({ error: code }));
  return jsonResponse(status, JSON.stringify({ error: code, message, ...details, request_id: requestId }));
}

/** Describes `error` for surfaces without HTTP, with the explanation that HTTP sends in a header; reports faults of the service. */
export function describeFailure(
  error: unknown,
  requestId: string,
  report: (fault: unknown) => void,
): Failure & { readonly detail: string | undefined } {
  const fault = faultOf(error);
  if (fault !== undefined) report(fault);
  const [failure, headers] = describe(error, requestId);
  return { ...failure, detail: headers["x-error-detail"] };
}

/** What to report of `error`: the cause of a refusal that is no fault of the client; undefined for one that is. */
function faultOf(error: unknown): unknown {
  if (error instanceof Refusal) return describeRefusal(error.code).status >= 500 ? error.cause : undefined;
  return error instanceof Invalid || error instanceof TooManyRequests ? undefined : error;
}

/** Describes `error`, with the headers HTTP requires for it. */
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

/** A retryable error includes Retry-After. */
const retrySeconds = "1";

const retryable = new Set<RefusalCode>([
  "files_unavailable",
  "processor_unavailable",
  "request_in_progress",
  "unavailable",
]);

const closing = new Set<RefusalCode>([
  "bad_request",
  "expectation_failed",
  "headers_too_large",
  "payload_too_large",
  "request_timeout",
]);

function headersOf(refusal: Refusal): Record<string, string> {
  const { code, detail, details } = refusal;
  // The body is the code alone; this header explains it to people.
  if (detail !== undefined) {
    const explained = { "x-error-detail": detail.replaceAll(/[^ -~]/g, "?") };
    return refusal instanceof Unauthenticated ? { ...explained, "www-authenticate": refusal.challenge } : explained;
  }
  if (code === "insufficient_scope") return { "www-authenticate": challengeScope(details["required_scope"] ?? "") };
  if (retryable.has(code)) return { "retry-after": retrySeconds };
  // The length that there is (RFC 9110, 15.5.17).
  if (code === "range_not_satisfiable") return { "content-range": `bytes */${details["size"]}` };
  // The supported content codings (RFC 9110, 15.5.16).
  if (code === "unsupported_media_type") return { "accept-encoding": "identity" };
  // An unread body would be parsed as the next request.
  if (closing.has(code)) return { connection: "close" };
  return {};
}
