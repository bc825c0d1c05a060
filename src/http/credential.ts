/** What authentication gives: for whom a request speaks, and what it may do. */
import type { Identity } from "../events/call-as.ts";

export interface Credential {
  readonly identity: Omit<Identity, "location">;
  /** Whose budget and whose Idempotency-Keys a request uses: an API key, or an app at a location. */
  readonly holder: string;
}

/** A token that is worth nothing (any more). */
export interface Worthless {
  /** A sentence for whoever sent it: plain ASCII, without quotes. Never the token. */
  readonly why: string;
}

/** Tells for whom a bearer token speaks. */
export type Authenticate = (token: string) => Promise<Credential | Worthless>;
