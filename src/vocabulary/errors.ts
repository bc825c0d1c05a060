/** The refusals of the specification ("Errors") and our extensions, each once: code, HTTP status, sentence. */
const refusals = {
  // The specification shows these bodies as `{"error": code}` alone, without a sentence.
  invalid_api_key: { status: 401 },
  "location.not_found": { status: 404 },
  "contact.not_found": { status: 404 },
  "tag.not_found": { status: 404 },
  "note.not_found": { status: 404 },
  "user.not_found": { status: 404 },
  "api_key.not_found": { status: 404 },
  "workspace.not_found": { status: 404 },
  // Extensions: these carry a sentence and the request id as well.
  bad_request: { status: 400, message: "This is not a request that HTTP/1.1 allows (RFC 9112)." },
  invalid_json: { status: 400, message: "The body is not valid JSON." },
  insufficient_scope: { status: 403, message: "The credential lacks the scope that this operation needs." },
  "route.not_found": {
    status: 404,
    message: "There is nothing at this address. GET /openapi.json lists what there is.",
  },
  method_not_allowed: {
    status: 405,
    message: "This address does not take that method; the Allow header lists the ones it takes.",
  },
  request_timeout: { status: 408, message: "The request did not come whole in time." },
  request_in_progress: {
    status: 409,
    message: "A request with this Idempotency-Key is still running. Send it again in a moment.",
  },
  answer_not_kept: {
    status: 409,
    message:
      "A request with this Idempotency-Key was carried out, and its answer was too large to be kept. Read the record instead.",
  },
  payload_too_large: { status: 413, message: "The body is larger than this service accepts." },
  unsupported_media_type: { status: 415, message: "The body must be sent as application/json." },
  expectation_failed: { status: 417, message: "The one expectation that is met here is 100-continue." },
  headers_too_large: {
    status: 431,
    message: "The address and the headers of the request are larger than this service accepts.",
  },
  server_error: { status: 500, message: "Something went wrong on our side. The log has it under this request id." },
  unavailable: { status: 503, message: "The database cannot do this right now. Try again shortly." },
} as const satisfies Record<string, { status: number; message?: string }>;

export type RefusalCode = keyof typeof refusals;

/** What a refusal answers with: its HTTP status, and its sentence unless the specification shows the code alone. */
export function describeRefusal(code: RefusalCode): { status: number; message?: string } {
  return refusals[code];
}

/** A request that cannot be done, for a reason that has a name. `details` are further members of the body, or a better `message`. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: Readonly<Record<string, string>>;
  constructor(code: RefusalCode, details: Readonly<Record<string, string>> = {}, options: ErrorOptions = {}) {
    super(code, options);
    this.code = code;
    this.details = details;
  }
}

/** Field name → what is wrong with it, each a whole sentence. */
export type FieldErrors = Record<string, string[]>;

/** Input that breaks a rule (422 over HTTP): every failing field with its sentences. */
export class Invalid extends Error {
  readonly errors: FieldErrors;
  constructor(errors: FieldErrors) {
    super(summaryOf(errors));
    this.errors = errors;
  }
}

/** The first sentence, and how many more there are: the `message` of a 422 body. */
function summaryOf(errors: FieldErrors): string {
  const [first = "The input is invalid.", ...others] = Object.values(errors).flat();
  if (others.length === 0) return first;
  return `${first} (and ${others.length} more ${others.length === 1 ? "error" : "errors"})`;
}

/** Somebody has spent what they may ask for (429 over HTTP). */
export class TooManyRequests extends Error {
  /** Whole seconds, at least 1. */
  readonly waitSeconds: number;
  constructor(waitSeconds: number) {
    super(`Too many requests. Try again in ${waitSeconds} ${waitSeconds === 1 ? "second" : "seconds"}.`);
    this.waitSeconds = waitSeconds;
  }
}

/** The database refused or lost the work for a reason that is not the caller's: down, full, locked too long. */
export class Unavailable extends Error {
  constructor(
    cause: unknown,
    message = `the database is unavailable: ${cause instanceof Error ? cause.message : String(cause)}`,
  ) {
    super(message, { cause });
  }
}
