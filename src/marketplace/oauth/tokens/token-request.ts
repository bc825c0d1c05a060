/** What a client hands in at the token endpoint, judged rule by rule, and the tokens for it. */
import type { Database } from "../../../storage/database.ts";
import { isVerified } from "../checks/code-verifier.ts";
import { valueOf } from "../checks/parameters.ts";
import { requireField } from "../checks/required-fields.ts";
import { checkScope } from "../checks/scope.ts";
import { OauthError } from "../oauth-error.ts";
import type { TokenClient } from "./token-client.queries.ts";
import { findCode, judgeReuse, redeemCode, rotateRefreshToken } from "./token.service.ts";
import type { IssuedTokens } from "./token.service.ts";

interface TokenRequest {
  readonly client: TokenClient;
  readonly fields: URLSearchParams;
  readonly now: Date;
  /** Counts the request for its client, at the location of what is handed in where that is known. Throws TooManyRequests. */
  readonly count: (locationId: number | undefined) => Promise<void>;
}

/** One sentence for whatever is wrong with a code: whoever has stolen one learns nothing from it. */
const badCode = "The code is not known, was used already, is too old, or was asked for otherwise.";
const badRefreshToken = "The refresh token is not known, was used already, or was revoked.";

/** RFC 6749, 4.1.3. What a second use ends is ended before it is refused. */
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
  // A code that was used already dies whatever else is said of it.
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
  if (await judgeReuse(database, refreshToken, now)) throw new OauthError("invalid_grant", badRefreshToken);
  const scopes = checkScope(fields, refreshToken.scopes, "the scopes that were allowed");
  const issued = await rotateRefreshToken(database, refreshToken, scopes, now);
  if (issued === undefined) throw new OauthError("invalid_grant", badRefreshToken);
  return issued;
}
