/** The secrets that sign deliveries: made here, sealed for their row, opened where something is signed. */
import { randomBytes } from "node:crypto";

/** `whsec_` and 32 random bytes in base64url. The whole text, as UTF-8, is the key of the HMAC. */
export function mintHookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64url")}`;
}

/** The place that a secret is sealed for: nothing opens it elsewhere. */
export function sealedFor(hookId: number): string {
  return `hooks.secret ${hookId}`;
}
