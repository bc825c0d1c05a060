/** The verifier belongs to the challenge that the code was asked for with (RFC 7636, 4.6). */
import { createHash, timingSafeEqual } from "node:crypto";

/** Whether whoever redeems the code is who asked for it; a verifier where there was no challenge is a mistake too. */
export function isVerified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined;
  if (verifier === undefined || !/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const given = Buffer.from(createHash("sha256").update(verifier).digest("base64url"));
  const expected = Buffer.from(challenge);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
