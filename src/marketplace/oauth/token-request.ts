/** What a client hands in at the token endpoint, judged rule by rule, and the tokens for it. */
import type { Clock } from "../../kit/time/clock.ts";
import type { Database } from "../../storage/database.ts";
import { isVerified } from "./checks/code-verifier.ts";
import { valueOf } from "./checks/parameters.ts";
import { requireField } from "./checks/required-fields.ts";
import { checkScope } from "./checks/scope.ts";
import type { Client } from "./client.queries.ts";
import { OauthError } from "./oauth-error.ts";
import { findCode, findRefreshToken, redeemCode, rotateRefreshToken } from "./token.service.ts";
import type { IssuedTokens } from "./token.service.ts";

interface Ground {
  readonly database: Database;
  readonly clock: Clock;
}

/** One sentence for whatever is wrong with a code: whoever has stolen one learns nothing from it. */
const badCode = "The code is not known, was used already, is too old, or was asked for otherwise.";
const badRefreshToken = "The refresh token is not known, was used already, or was revoked.";

/** RFC 6749, 4.1.3. What a second use ends is ended before it is refused. */
export async function tokensForCode(
  { database, clock }: Ground,
  client: Client,
  fields: URLSearchParams,
): Promise<IssuedTokens> {
  const code = requireField(fields, "code");
  const redirectUri = requireField(fields, "redirect_uri");
  const now = clock.now();
  const stored = await findCode(database, client, code, now);
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
  { database, clock }: Ground,
  client: Client,
  fields: URLSearchParams,
): Promise<IssuedTokens> {
  const token = requireField(fields, "refresh_token");
  const now = clock.now();
  const stored = await findRefreshToken(database, client, token, now);
  if (stored === undefined) throw new OauthError("invalid_grant", badRefreshToken);
  const scopes = checkScope(fields, stored.scopes, "the scopes that were allowed");
  const issued = await database.transaction((change) => rotateRefreshToken(change, stored, scopes, now));
  if (issued === undefined) throw new OauthError("invalid_grant", badRefreshToken);
  return issued;
}
