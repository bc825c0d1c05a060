/** The bearer token of a request, and how whoever has none that is worth something is told (RFC 6750). */
import type { Authenticate, Credential, WantedNext } from "../credential.ts";
import type { IncomingRequest } from "./incoming-request.ts";

/** Why a request is nobody's. */
export interface Challenge {
  /** A sentence for whoever sent it. */
  readonly why: string;
  /** For the header `WWW-Authenticate`. */
  readonly challenge: string;
}

/** `Authorization: Bearer <token>`; the scheme matches in any case (RFC 9110, 11.1). `next` as `Authenticate` takes it. */
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

/** For whoever lacks a scope (RFC 6750, 3.1). */
export function challengeScope(scope: string): string {
  return `${realm}, error="insufficient_scope", scope="${scope}"`;
}

const realm = 'Bearer realm="crm"';
