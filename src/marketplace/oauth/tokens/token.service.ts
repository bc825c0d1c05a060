/** Issues tokens for codes and refresh tokens, each usable once, and revokes them. */
import { hashSecret, mintSecret } from "../../../kit/secrets/secret.ts";
import { defineInsert, sendRows } from "../../../storage/inserting/insert.ts";
import type { Database } from "../../../storage/database.ts";
import { forget, forgetText } from "../../../storage/forget.ts";
import { updateFeedingInsert } from "../../../storage/inserting/feeding-insert.ts";
import { listed } from "../../../storage/json.ts";
import { placeholders } from "../../../storage/rows.ts";
import type { Rows, Writer } from "../../../storage/rows.ts";
import type { Value } from "../../../storage/value.ts";
import { sql } from "../../../storage/sql-text.ts";
import { limits } from "../../../vocabulary/limits.ts";
import type { ScopeName } from "../../../vocabulary/scopes.ts";
import { grantHolds, effectiveScopes, withInstall } from "../grant.queries.ts";
import { hashFamily, mintRefreshToken } from "./refresh-token.ts";
import type { StoredRefreshToken, TokenClient } from "./token-client.queries.ts";

/** The response of the token endpoint (RFC 6749, 5.1). */
export interface IssuedTokens {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
  /** Where the access token is valid. */
  readonly location_id: number;
  readonly workspace_id: number;
}

/** The location of a consent. */
type OfLocation = Pick<StoredRefreshToken, "locationId" | "workspaceId">;

const pairColumns = [
  "access_hash",
  "refresh_hash",
  "family_hash",
  "scopes",
  "refresh_scopes",
  "access_expires_at",
  "refresh_expires_at",
] as const;
const tokenInsert = defineInsert("oauth_tokens", ["grant_id", ...pairColumns], {
  leaves: ["spent_at", "access_revoked_at"],
});

/**
 * A new token pair, for the response and for storage; `before`: the refresh token it replaces, whose scopes the new one
 * keeps where the access token has fewer (RFC 6749, 6).
 */
function mint(
  scopes: readonly ScopeName[],
  { locationId, workspaceId }: OfLocation,
  now: Date,
  before?: Pick<StoredRefreshToken, "text" | "scopes">,
) {
  const [access, refresh] = [mintSecret("crm_at_"), mintRefreshToken(before?.text)];
  const isNarrowed = before !== undefined && scopes.length < before.scopes.length;
  const { accessTokenSeconds, refreshTokenSeconds } = limits.oauth;
  const issued: IssuedTokens = {
    access_token: access,
    token_type: "Bearer",
    expires_in: accessTokenSeconds,
    refresh_token: refresh,
    scope: scopes.join(" "),
    location_id: locationId,
    workspace_id: workspaceId,
  };
  const stored: Record<(typeof pairColumns)[number], Value> = {
    access_hash: hashSecret(access),
    refresh_hash: hashSecret(refresh),
    family_hash: hashFamily(refresh),
    scopes: JSON.stringify(scopes),
    refresh_scopes: isNarrowed ? JSON.stringify(before.scopes) : null,
    access_expires_at: new Date(now.getTime() + accessTokenSeconds * 1000),
    refresh_expires_at: new Date(now.getTime() + refreshTokenSeconds * 1000),
  };
  return { issued, stored };
}

/** A stored code of this client. */
export interface StoredCode {
  readonly id: number;
  readonly grantId: number;
  readonly locationId: number;
  readonly workspaceId: number;
  readonly redirectUri: string;
  readonly scopes: readonly ScopeName[];
  readonly codeChallenge: string | null;
  readonly isRedeemed: boolean;
}

const codeText = `
  select c.id, c.grant_id, g.location_id, m.workspace_id, c.redirect_uri, c.scopes, i.scopes as latest_scopes, c.code_challenge, c.redeemed_at, c.expires_at, (${grantHolds}) as holds
  from oauth_codes c join oauth_grants g on g.id = c.grant_id join memberships m on m.id = g.membership_id
  ${withInstall}
  where c.hash = ? and g.app_id = ?`;

/**
 * Undefined if the code is unknown, of another client, expired, given by a person without access to the location, or
 * without scopes after a later consent.
 */
export async function findCode(
  rows: Rows,
  client: Pick<TokenClient, "id">,
  code: string,
  now: Date,
): Promise<StoredCode | undefined> {
  const [row] = await rows.rows<{
    id: number;
    grant_id: number;
    location_id: number;
    workspace_id: number;
    redirect_uri: string;
    scopes: string;
    latest_scopes: string | null;
    code_challenge: string | null;
    redeemed_at: number | null;
    expires_at: number;
    holds: boolean | number;
  }>(codeText, [hashSecret(code), client.id]);
  if (row === undefined) return undefined;
  const isRedeemed = row.redeemed_at !== null;
  // Distinguishes a reuse from a late first use: a reuse revokes the tokens of the first.
  if (!isRedeemed && (row.expires_at <= now.getTime() || !row.holds)) return undefined;
  const scopes = row.latest_scopes === null ? [] : effectiveScopes(row.scopes, row.latest_scopes);
  if (!isRedeemed && scopes.length === 0) return undefined;
  return {
    id: row.id,
    grantId: row.grant_id,
    locationId: row.location_id,
    workspaceId: row.workspace_id,
    redirectUri: row.redirect_uri,
    scopes,
    codeChallenge: row.code_challenge,
    isRedeemed,
  };
}

const redeemText = "update oauth_codes set redeemed_at = ? where id = ? and redeemed_at is null returning id";

/**
 * Issues tokens to the first redemption among concurrent ones; any other revokes what was issued, and gets undefined.
 */
export async function redeemCode(rows: Writer, code: StoredCode, now: Date): Promise<IssuedTokens | undefined> {
  const [redeemed] = await rows.rows(redeemText, [now, code.id]);
  if (redeemed === undefined) {
    await revokeGrant(rows, code.grantId, now);
    return undefined;
  }
  const { issued, stored } = mint(code.scopes, code, now);
  sendRows(rows, tokenInsert, [{ grant_id: code.grantId, ...stored }]);
  return issued;
}

const insertForSpent = `insert into oauth_tokens (grant_id, ${pairColumns.join(", ")})
  select grant_id, ${placeholders(pairColumns.length)} from spent returning id`;
/** A concurrent reuse waits for the first, and then finds no unspent code. */
const rotation = updateFeedingInsert({
  name: "spent",
  update: { table: "oauth_tokens", set: "spent_at = ?", where: "id = ? and spent_at is null" },
  holds: "refresh_expires_at > ?",
  returning: "grant_id",
  insert: insertForSpent,
});

/** Rotates a live refresh token: new tokens, the access token with `scopes`, for the first request, undefined for concurrent ones. */
export async function rotateRefreshToken(
  database: Database,
  token: StoredRefreshToken,
  scopes: readonly ScopeName[],
  now: Date,
): Promise<IssuedTokens | undefined> {
  const { issued, stored } = mint(scopes, token, now, token);
  const rotated = await database.transaction(async ({ send, roundTrips }) => {
    const inserted = roundTrips.rowsLater(rotation.text, [
      now,
      token.id,
      ...pairColumns.map((column) => stored[column]),
    ]);
    send(rotation.after, [now, token.id]);
    return inserted;
  });
  return (await rotated()).length > 0 ? issued : undefined;
}

/**
 * Whether the refresh token is spent. Within ten seconds it counts as a race of two workers of the client; later the
 * token was copied, and the whole family is revoked (RFC 9700, 4.14.2).
 */
export async function detectReuse(
  database: Database,
  { grantId, spentAt }: StoredRefreshToken,
  now: Date,
): Promise<boolean> {
  if (spentAt === null) return false;
  const isCopy = now.getTime() - spentAt > limits.oauth.refreshGraceSeconds * 1000;
  if (isCopy) await database.transaction((change) => revokeGrant(change, grantId, now));
  return true;
}

const revokeGrantText = "update oauth_grants set revoked_at = ? where id = ? and revoked_at is null";

/** Revokes everything issued for a consent. */
async function revokeGrant(rows: Rows, grantId: number, now: Date): Promise<void> {
  await rows.rows(revokeGrantText, [now, grantId]);
}

const byRefreshText = `
  select t.grant_id from oauth_tokens t join oauth_grants g on g.id = t.grant_id
  where (t.refresh_hash = ? or (t.family_hash = ? and t.spent_at is null)) and g.app_id = ?`;
const revokeAccessText = `
  update oauth_tokens set access_revoked_at = ? where access_hash = ? and access_revoked_at is null
    and grant_id in (select id from oauth_grants where app_id = ?)`;

/**
 * RFC 7009: a refresh token is revoked with everything of its consent, an access token alone. A token of another client
 * is ignored.
 */
export async function revokeToken(
  rows: Rows,
  client: Pick<TokenClient, "id">,
  token: string,
  now: Date,
): Promise<void> {
  const hash = hashSecret(token);
  const [found] = await rows.rows<{ grant_id: number }>(byRefreshText, [hash, hashFamily(token), client.id]);
  if (found !== undefined) await revokeGrant(rows, found.grant_id, now);
  else await rows.rows(revokeAccessText, [now, hash, client.id]);
}

const forgetRequestsText = forgetText("oauth_requests", "expires_at");
const forgetCodesText = forgetText("oauth_codes", "expires_at", { returning: "grant_id" });
const forgetTokensText = forgetText("oauth_tokens", "refresh_expires_at", { returning: "grant_id" });
const forgetSpentText = forgetText("oauth_tokens", "spent_at", {
  returning: "grant_id",
  where: "spent_at is not null and family_hash is not null",
});
const emptyGrantsText = sql`delete from oauth_grants where id in ${listed}
  and not exists (select 1 from oauth_tokens t where t.grant_id = oauth_grants.id)
  and not exists (select 1 from oauth_codes c where c.grant_id = oauth_grants.id)`;

/**
 * Forgets requests, codes and tokens whose time is over, some of each, and spent tokens whose access token is dead: the living one of the
 * family remembers them. A consent of which nothing is left has ended with it. Resolves to how many were forgotten.
 */
export async function forgetOauth(rows: Rows, now: Date): Promise<number> {
  const dayAgo = new Date(now.getTime() - limits.oauth.accessTokenSeconds * 1000);
  const requests = await forget(rows, forgetRequestsText, now);
  // Codes are kept a day longer, so that a late reuse still revokes the tokens of the first.
  const codes = await rows.rows<{ grant_id: number }>(forgetCodesText, [dayAgo]);
  const spent = await rows.rows<{ grant_id: number }>(forgetSpentText, [dayAgo]);
  const tokens = await rows.rows<{ grant_id: number }>(forgetTokensText, [now]);
  const gone = [...codes, ...spent, ...tokens];
  if (gone.length > 0) await rows.rows(emptyGrantsText, [JSON.stringify(gone.map(({ grant_id }) => grant_id))]);
  return requests + gone.length;
}
