/** The error codes of the specification ("Errors") and our extensions: code, HTTP status, sentence. */
interface RefusalDescription {
  /** The HTTP status. */
  readonly status: number;
  /** A sentence for people, part of the body. */
  readonly message?: string;
  /** The same for a body that is the code alone: it goes into the header X-Error-Detail. */
  readonly detail?: string;
}

const refusals = {
  // The specification defines these bodies as `{"error": code}` alone; the sentence goes into a header.
  invalid_api_key: { status: 401, detail: "The credential is missing, unknown, expired or revoked." },
  invalid_client: {
    status: 401,
    detail: "Unknown client, wrong secret, or a clientId in the body that differs from the header.",
  },
  "location.not_found": { status: 404, detail: "This credential has no access to a location with that id." },
  "contact.not_found": { status: 404, detail: "There is no contact with that id in this location." },
  "tag.not_found": { status: 404, detail: "There is no such tag in this workspace." },
  "custom_field.not_found": { status: 404, detail: "There is no such custom field in this workspace." },
  "note.not_found": { status: 404, detail: "There is no note with that id in this location." },
  "opportunity.not_found": { status: 404, detail: "There is no opportunity with that id in this location." },
  "pipeline.not_found": { status: 404, detail: "There is no pipeline with that id in this location." },
  "task.not_found": { status: 404, detail: "There is no task with that id in this location." },
  "conversation.not_found": { status: 404, detail: "There is no conversation with that id in this location." },
  "message.not_found": { status: 404, detail: "There is no message with that id in this conversation." },
  "attachment.not_found": { status: 404, detail: "There is no attachment with that id in this location." },
  "channel.not_found": { status: 404, detail: "There is no channel with that id in this location." },
  "workflow.not_found": { status: 404, detail: "There is no workflow with that id in this location." },
  "workflow_run.not_found": { status: 404, detail: "There is no workflow run with that id in this location." },
  "user.not_found": { status: 404, detail: "There is no such person in this workspace." },
  "api_key.not_found": { status: 404, detail: "There is no such API key in this workspace." },
  "install.not_found": { status: 404, detail: "There is no such install in this workspace." },
  "charge.not_found": { status: 404, detail: "There is no such charge for an app of this workspace." },
  "app.not_found": { status: 404, detail: "There is no such app in this workspace." },
  "hook.not_found": { status: 404, detail: "There is no webhook with that id that this credential has access to." },
  "delivery.not_found": {
    status: 404,
    detail: "There is no delivery with that id that this credential has access to.",
  },
  "workspace.not_found": { status: 404, detail: "There is no such workspace." },
  "company.not_found": { status: 404, detail: "There is no company (workspace) with that id." },
  // Extensions, with a sentence and the request id.
  bad_request: { status: 400, message: "The request is not valid HTTP/1.1 (RFC 9112)." },
  invalid_json: { status: 400, message: "The body is not valid JSON." },
  invalid_signature: {
    status: 400,
    message:
      "The Stripe-Signature header does not match this body and the secret of this endpoint, or is older than five minutes.",
  },
  payment_required: {
    status: 402,
    message: "The subscription to this app is not paid. Pay the open invoice to use the app again.",
  },
  insufficient_scope: { status: 403, message: "The credential lacks the scope that this operation needs." },
  origin_not_allowed: {
    status: 403,
    message: "Web pages of this origin may not use this address. The operator can allow them with CRM_CORS_ORIGINS.",
  },
  insufficient_role: { status: 403, message: "Your role does not allow this." },
  "route.not_found": {
    status: 404,
    message: "There is nothing at this address. GET /openapi.json lists all operations.",
  },
  method_not_allowed: {
    status: 405,
    message: "This address does not support that method; the Allow header lists the supported ones.",
  },
  request_timeout: { status: 408, message: "The complete request did not arrive in time." },
  request_in_progress: {
    status: 409,
    message: "A request with this Idempotency-Key is still running. Send it again in a moment.",
  },
  answer_not_kept: {
    status: 409,
    message:
      "A request with this Idempotency-Key was carried out, but its response was too large to store. Read the record instead.",
  },
  attachment_link_invalid: {
    status: 404,
    message: "The link of the attachment is invalid or has expired. Read the message again for a new one.",
  },
  attachment_gone: { status: 410, message: "The content of the attachment is no longer stored." },
  payload_too_large: { status: 413, message: "The body is larger than this service accepts." },
  unsupported_media_type: { status: 415, message: "The body must be sent as application/json." },
  expectation_failed: { status: 417, message: "The only supported expectation is 100-continue." },
  // Faults of a payment report ("POST /api/oauth/billing/webhook"), in the order of the checks.
  invalid_auth_type: { status: 422, message: "authType must be location or company." },
  invalid_amount: {
    status: 422,
    message: "amount must be a number of US dollars, zero or more, in whole cents, and at most 90071992547409.91.",
  },
  invalid_status: { status: 422, message: "status must be COMPLETED or FAILED." },
  invalid_payment_type: { status: 422, message: "paymentType must be one_time or recurring." },
  payment_id_required: { status: 422, message: "paymentId is required where paymentType is one_time." },
  invalid_payment_id: { status: 422, message: "paymentId must be text of at most 255 characters." },
  location_id_required: { status: 422, message: "locationId is required where authType is location." },
  company_id_required: { status: 422, message: "companyId is required where authType is company." },
  invalid_subscription_id: { status: 422, message: "subscriptionId must be text of at most 255 characters." },
  invalid_occurred_at: {
    status: 422,
    message: "occurredAt must be an ISO 8601 time with an offset or Z, at most five minutes ahead.",
  },
  precondition_failed: {
    status: 412,
    message: "The record is not in the state that If-Match or If-None-Match requires. Read it again.",
  },
  invalid_if_match: { status: 400, message: 'If-Match must be * or a list of ETags such as "x1yZ".' },
  billing_locked: { status: 422, message: "A published app cannot change away from platform billing." },
  platform_billing_unavailable: {
    status: 422,
    message: "Platform billing is unavailable: this service has no payment processor. Set CRM_STRIPE_SECRET_KEY.",
  },
  platform_account_incomplete: {
    status: 422,
    message: "The Stripe account of this app cannot take charges yet. Run crm apps connect to complete it.",
  },
  refund_too_large: { status: 422, message: "The refund is larger than what is left of the charge." },
  headers_too_large: {
    status: 431,
    message: "The URL and the headers of the request are larger than this service accepts.",
  },
  server_error: {
    status: 500,
    message: "Something went wrong on our side. The log has the details under this request id.",
  },
  processor_unavailable: {
    status: 503,
    message: "Stripe is unreachable. Try again in a moment.",
  },
  files_unavailable: {
    status: 503,
    message: "The storage of attachments is unreachable. Try again in a moment.",
  },
  range_not_satisfiable: {
    status: 416,
    message: "The attachment ends before the bytes that the Range header asks for.",
  },
  unavailable: { status: 503, message: "The database is unavailable. Try again shortly." },
} as const satisfies Record<string, RefusalDescription>;

export type RefusalCode = keyof typeof refusals;

/** The response of a refusal. */
export function describeRefusal(code: RefusalCode): RefusalDescription {
  return refusals[code];
}

/**
 * A request refused with an error code. `details` are further members of the body, or a more specific `message`;
 * `detail` is more specific than the code's own where the body is the code alone.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: Readonly<Record<string, string>>;
  readonly detail: string | undefined;
  constructor(
    code: RefusalCode,
    details: Readonly<Record<string, string>> = {},
    { detail, ...options }: ErrorOptions & { readonly detail?: string } = {},
  ) {
    super(code, options);
    this.code = code;
    this.details = details;
    this.detail = detail ?? describeRefusal(code).detail;
  }
}

/** Field name → its faults, each a whole sentence. */
export type FieldErrors = Record<string, string[]>;

/** Invalid input (422 over HTTP): every invalid field with its sentences. */
export class Invalid extends Error {
  readonly errors: FieldErrors;
  constructor(errors: FieldErrors) {
    super(summaryOf(errors));
    this.errors = errors;
  }
}

/** The first sentence and the number of others: the `message` of a 422 body. */
function summaryOf(errors: FieldErrors): string {
  const [first = "The input is invalid.", ...others] = Object.values(errors).flat();
  if (others.length === 0) return first;
  return `${first} (and ${others.length} more ${others.length === 1 ? "error" : "errors"})`;
}

/** A rate limit is exceeded (429 over HTTP). */
export class TooManyRequests extends Error {
  /** Whole seconds, at least 1. */
  readonly waitSeconds: number;
  constructor(waitSeconds: number) {
    super(`Too many requests. Try again in ${toSpan(waitSeconds)}.`);
    this.waitSeconds = waitSeconds;
  }
}

/** Waits above one minute are given in whole minutes, rounded up. */
function toSpan(seconds: number): string {
  if (seconds > 60) return `${Math.ceil(seconds / 60)} minutes`;
  return `${seconds} ${seconds === 1 ? "second" : "seconds"}`;
}

/**
 * The database refused or lost the work for a reason that is not the caller's: it is down, full, or locked for too
 * long.
 */
export class Unavailable extends Error {
  constructor(
    cause: unknown,
    message = `the database is unavailable: ${cause instanceof Error ? cause.message : String(cause)}`,
  ) {
    super(message, { cause });
  }
}
