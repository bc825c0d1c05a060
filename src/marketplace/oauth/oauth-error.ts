/** What goes wrong in OAuth, by the names of its RFCs, and whether it may travel to the app. */

/** RFC 6749, 4.1.2.1 and 5.2. */
export type OauthErrorCode =
  | "invalid_request"
  | "unsupported_response_type"
  | "invalid_scope"
  | "access_denied"
  | "invalid_client"
  | "invalid_grant"
  | "unsupported_grant_type"
  | "server_error"
  /** Of no RFC: the code of a 429. */
  | "too_many_requests"
  | "temporarily_unavailable";

/** A fault that the app is told of: at its redirect URI, or as the answer of the token endpoint. */
export class OauthError extends Error {
  readonly code: OauthErrorCode;
  /** `description`: a sentence for the makers of the app, of the characters that RFC 6749 allows (no quotes, no backslash). */
  constructor(code: OauthErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

/** A fault of trust: nobody knows where it could be sent, so it stays on our page. */
export class Untrusted extends Error {
  /** The app, where at least that is known. */
  readonly app: string | null;
  constructor(reason: string, app: string | null = null) {
    super(reason);
    this.app = app;
  }
}
