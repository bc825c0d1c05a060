/** Webhook secrets: generated, sealed for their row, and opened for signing. */
import { randomBytes } from "node:crypto";

/** `whsec_` and 32 random bytes in base64url. The whole text, as UTF-8, is the key of the HMAC. */
export function mintHookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64url")}`;
}

/** The context of the sealed secret: nothing opens it elsewhere. */
export function sealedFor(hookId: number): string {
  return `hooks.secret ${hookId}`;
}
