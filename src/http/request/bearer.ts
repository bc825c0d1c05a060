/** Bearer tokens: reads the token of a request, and the challenge for a missing or rejected one (RFC 6750). */
import type { Authenticate, Credential, WantedNext } from "../credential.ts";
import type { IncomingRequest } from "./incoming-request.ts";

/** Why a request is not authenticated. */
export interface Challenge {
  /** A sentence for the client. */
  readonly why: string;
  /** The value of `WWW-Authenticate`. */
  readonly challenge: string;
}

/**
 * Reads `Authorization: Bearer <token>`; the scheme is case-insensitive (RFC 9110, 11.1). `next` as in `Authenticate`.
 */
export async function authenticateBearer(
  authenticate: Authenticate,
  request: IncomingRequest,
  next?: WantedNext,
): Promise<Credential | Challenge> {
  const given = request.header("authorization");
  if (given === undefined) {
    return { why: "No credential was sent: send the header Authorization: Bearer <API key>.", challenge: realm };
  }
  const token = /^Bearer +(\S+) *$/i.exec(given)?.[1];
  if (token === undefined) {
    return {
      why: "The Authorization header must be Bearer, a space and an API key, and nothing else.",
      challenge: realm,
    };
  }
  const known = await authenticate(token, next);
  if (!("why" in known)) return known;
  return { why: known.why, challenge: `${realm}, error="invalid_token", error_description="${known.why}"` };
}

/** The challenge for a missing scope (RFC 6750, 3.1). */
export function challengeScope(scope: string): string {
  return `${realm}, error="insufficient_scope", scope="${scope}"`;
}

const realm = 'Bearer realm="crm"';
