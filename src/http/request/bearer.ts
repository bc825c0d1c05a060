/** Bearer tokens: the credential of a request, and the challenge for a missing or rejected one (RFC 6750). */
import { Refusal } from "../../vocabulary/errors.ts";
import { requireLeft } from "../budget/rate-limit.ts";
import type { RateLimiter } from "../budget/rate-limit.ts";
import type { Authenticate, Credential, WantedNext } from "../credential.ts";
import type { IncomingRequest } from "./incoming-request.ts";

/** Refuses a request without a valid credential. */
export class Unauthenticated extends Refusal {
  /** The value of `WWW-Authenticate`. */
  readonly challenge: string;
  constructor({ why, challenge }: Challenge) {
    super("invalid_api_key", {}, { detail: why });
    this.challenge = challenge;
  }
}

interface Challenge {
  /** A sentence for the client. */
  readonly why: string;
  readonly challenge: string;
}

interface Authentication {
  readonly authenticate: Authenticate;
  /** Counts one failed authentication against an address. */
  readonly limitFailures: RateLimiter;
}

/** Throws `Unauthenticated`, or that its address failed too often. `next` as in `Authenticate`. */
export async function requireCredential(
  { authenticate, limitFailures }: Authentication,
  request: IncomingRequest,
  next: WantedNext,
): Promise<Credential> {
  const found = await readBearer(authenticate, request, next);
  if (!("challenge" in found)) return found;
  requireLeft(await limitFailures(request.address));
  throw new Unauthenticated(found);
}

/** Reads `Authorization: Bearer <token>`; the scheme is case-insensitive (RFC 9110, 11.1). */
async function readBearer(
  authenticate: Authenticate,
  request: IncomingRequest,
  next: WantedNext,
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
