/** The error of a request: what the service answered, or why there was no answer. */

export interface CrmErrorContents {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly detail?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly response?: Response;
  readonly cause?: unknown;
}

export class CrmError extends Error {
  override readonly name = "CrmError";
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /**
   * The service's code, such as `contact.not_found`. `validation_failed` (422) and `rate_limited` (429) stand for bodies
   * without one, `http_502` for a body that is not the service's, and `timeout` and `connection_failed` for no answer.
   */
  readonly code: string;
  /** Of a 422: every invalid field with its sentences; else empty. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** A sentence about what happened. */
  readonly detail: string;
  /** The id under which the service's log has the request. */
  readonly requestId: string | undefined;
  /** Seconds after which the service asks to be called again. */
  readonly retryAfter: number | undefined;
  /** Its body is read. */
  readonly response: Response | undefined;

  constructor({
    status,
    code,
    message,
    errors = {},
    detail,
    requestId,
    retryAfter,
    response,
    cause,
  }: CrmErrorContents) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.detail = detail ?? message;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.response = response;
  }
}

interface FailureBody {
  readonly error?: unknown;
  readonly message?: unknown;
  /** Of the token endpoint. */
  readonly error_description?: unknown;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

/** Reads an answer that is no success. */
export async function toCrmError(request: string, response: Response): Promise<CrmError> {
  const { status, headers } = response;
  const body = readJson(await response.text());
  const header = headers.get("x-error-detail");
  const code =
    typeof body.error === "string"
      ? body.error
      : status === 422 && body.errors !== undefined
        ? "validation_failed"
        : status === 429
          ? "rate_limited"
          : `http_${status}`;
  const sentence = body.message ?? body.error_description;
  const detail = header ?? (typeof sentence === "string" ? sentence : undefined);
  return new CrmError({
    status,
    code,
    message: `${request}: ${status} ${code}${detail === undefined ? "" : `: ${detail}`}`,
    ...(typeof body.errors === "object" && body.errors !== null ? { errors: body.errors } : {}),
    detail,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter: readRetryAfter(headers.get("retry-after")),
    response,
  });
}

/** A proxy may answer with HTML. */
function readJson(text: string): FailureBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** Seconds, from seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}
