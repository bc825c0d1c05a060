/** What authentication gives: for whom a request speaks, and what it may do. */
import type { Identity } from "../events/call-as.ts";
import type { LocationContext } from "../events/caller.ts";

export interface Credential {
  readonly identity: Omit<Identity, "location">;
  /** Whose budget and whose Idempotency-Keys a request uses: an API key, or an app at a location. */
  readonly holder: string;
  /** The location that was asked for along with it, when it is one that the credential may see. */
  readonly place?: LocationContext | undefined;
}

/** A token that is worth nothing (any more). */
export interface Worthless {
  /** A sentence for whoever sent it: plain ASCII, without quotes. Never the token. */
  readonly why: string;
}

/** What will probably be wanted next: who can ask for it in the same journey gives it along. */
export interface WantedNext {
  /** The location, given as `place`. */
  readonly locationId?: number | undefined;
  /** Tables of which one row each will be inserted, whose ids are given with the identity. */
  readonly inserts?: readonly string[];
}

/** Tells for whom a bearer token speaks. */
export type Authenticate = (token: string, next?: WantedNext) => Promise<Credential | Worthless>;
