/** OAuth errors by their RFC codes, and whether they may be sent to the app. */

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
  /** Not from an RFC: the code of a 429. */
  | "too_many_requests"
  | "temporarily_unavailable";

/** An error for the app: sent to its redirect URI, or as the response of the token endpoint. */
export class OauthError extends Error {
  readonly code: OauthErrorCode;
  /** `description`: a sentence for the app's developers, in the characters of RFC 6749 (no quotes, no backslash). */
  constructor(code: OauthErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

/** An untrusted request: no redirect URI is verified, so the error stays on our page. */
export class Untrusted extends Error {
  /** The app, if known. */
  readonly app: string | null;
  constructor(reason: string, app: string | null = null) {
    super(reason);
    this.app = app;
  }
}
