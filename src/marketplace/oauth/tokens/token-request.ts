/** Serves token requests: validates codes and refresh tokens, and issues tokens. */
import type { Database } from "../../../storage/database.ts";
import { isVerified } from "../checks/code-verifier.ts";
import { valueOf } from "../checks/parameters.ts";
import { requireField } from "../checks/required-fields.ts";
import { checkScope } from "../checks/scope.ts";
import { OauthError } from "../oauth-error.ts";
import type { TokenClient } from "./token-client.queries.ts";
import { findCode, detectReuse, redeemCode, rotateRefreshToken } from "./token.service.ts";
import type { IssuedTokens } from "./token.service.ts";

interface TokenRequest {
  readonly client: TokenClient;
  readonly fields: URLSearchParams;
  readonly now: Date;
  /** Counts the request for its client and the location, if known. Throws TooManyRequests. */
  readonly count: (locationId: number | undefined) => Promise<void>;
}

/** One sentence for any fault of a code: a thief learns nothing from it. */
const badCode = "The code is unknown, already used, expired, or was issued for a different request.";
const badRefreshToken = "The refresh token is unknown, already used, or revoked.";

/** RFC 6749, 4.1.3. A reuse is refused after it has revoked the tokens. */
export async function tokensForCode(
  database: Database,
  { client, fields, now, count }: TokenRequest,
): Promise<IssuedTokens> {
  const code = requireField(fields, "code");
  const redirectUri = requireField(fields, "redirect_uri");
  const stored = await findCode(database, client, code, now);
  await count(stored?.locationId);
  if (stored === undefined) throw new OauthError("invalid_grant", badCode);
  const isAskedFor =
    stored.redirectUri === redirectUri && isVerified(stored.codeChallenge, valueOf(fields, "code_verifier"));
  // A reused code revokes its tokens whatever else is wrong.
  if (!stored.isRedeemed && !isAskedFor) throw new OauthError("invalid_grant", badCode);
  const issued = await database.transaction((change) => redeemCode(change, stored, now));
  if (issued === undefined) throw new OauthError("invalid_grant", badCode);
  return issued;
}

/** RFC 6749, 6. */
export async function tokensForRefreshToken(
  database: Database,
  { client: { refreshToken }, fields, now, count }: TokenRequest,
): Promise<IssuedTokens> {
  requireField(fields, "refresh_token");
  await count(refreshToken?.locationId);
  if (refreshToken === undefined) throw new OauthError("invalid_grant", badRefreshToken);
  if (await detectReuse(database, refreshToken, now)) throw new OauthError("invalid_grant", badRefreshToken);
  const scopes = checkScope(fields, refreshToken.scopes, "the scopes that were allowed");
  const issued = await rotateRefreshToken(database, refreshToken, scopes, now);
  if (issued === undefined) throw new OauthError("invalid_grant", badRefreshToken);
  return issued;
}
