/** What authentication gives: for whom a request speaks, and what it may do. */
import type { Identity } from "../events/call-as.ts";

export interface Credential {
  readonly identity: Omit<Identity, "location">;
  /** Whose budget and whose Idempotency-Keys a request uses: an API key, or an app at a location. */
  readonly holder: string;
}

/** Gives the credential that a bearer token stands for, or undefined for one that is worth nothing (any more). */
export type Authenticate = (token: string) => Promise<Credential | undefined>;
