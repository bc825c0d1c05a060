/** The result of authentication: the identity of the caller, and its permissions. */
import type { Identity } from "../events/call-as.ts";
import type { LocationContext } from "../events/caller.ts";

export interface Credential {
  readonly identity: Omit<Identity, "location">;
  /** The holder of the rate limit budget and Idempotency-Keys: an API key, or an app at a location. */
  readonly holder: string;
  /** The requested location, if the credential may access it. */
  readonly place?: LocationContext | undefined;
}

/** A token that is unknown, expired or revoked. */
export interface RejectedToken {
  /** A sentence for the client: plain ASCII, without quotes. Never the token. */
  readonly why: string;
}

/** Hints of the next queries, so that an authentication query can fetch their results in the same round trip. */
export interface WantedNext {
  /** The location, returned as `place`. */
  readonly locationId?: number | undefined;
  /** Tables that one row each will be inserted into; their IDs are reserved with the identity. */
  readonly inserts?: readonly string[];
}

/** Authenticates a bearer token. */
export type Authenticate = (token: string, next?: WantedNext) => Promise<Credential | RejectedToken>;
