/** Check 6 of an authorization request: a code challenge uses S256 (RFC 7636, 4.3); `plain` does not protect the code. */
import { OauthError } from "../oauth-error.ts";
import { valueOf } from "./parameters.ts";

/** The 43 characters of a SHA-256 in base64url; null without a challenge. */
export function checkCodeChallenge(parameters: URLSearchParams): string | null {
  const challenge = valueOf(parameters, "code_challenge");
  const method = valueOf(parameters, "code_challenge_method");
  if (challenge === undefined && method === undefined) return null;
  if (challenge === undefined)
    throw new OauthError("invalid_request", "code_challenge_method is given without code_challenge.");
  if (method !== "S256") throw new OauthError("invalid_request", "code_challenge_method must be S256.");
  if (!/^[\w-]{43}$/.test(challenge)) {
    throw new OauthError(
      "invalid_request",
      "code_challenge must be 43 characters of base64url, the SHA-256 of the verifier.",
    );
  }
  return challenge;
}
