/** Check of a token request: the code verifier matches the challenge of the code (PKCE, RFC 7636, 4.6). */
import { createHash, timingSafeEqual } from "node:crypto";

/** Whether the verifier matches, in constant time. A verifier without a challenge does not match. */
export function isVerified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined;
  if (verifier === undefined || !/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const given = Buffer.from(createHash("sha256").update(verifier).digest("base64url"));
  const expected = Buffer.from(challenge);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
