/** Issues tokens for codes and refresh tokens, each of which works once, and ends what was issued. */
import { hashSecret, mintSecret } from "../../../kit/secrets/secret.ts";
import { defineInsert, sendRows } from "../../../storage/inserting/insert.ts";
import type { Database } from "../../../storage/database.ts";
import { forget, forgetText } from "../../../storage/forget.ts";
import { updateFeedingInsert } from "../../../storage/inserting/update-feeding-insert.ts";
import { listed } from "../../../storage/json.ts";
import { placeholders } from "../../../storage/rows.ts";
import type { Rows, Value, Writer } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import { limits } from "../../../vocabulary/limits.ts";
import type { ScopeName } from "../../../vocabulary/scopes.ts";
import { grantHolds, effectiveScopes, withInstall } from "../grant.queries.ts";
import { hashFamily, mintRefreshToken } from "./refresh-token.ts";
import type { StoredRefreshToken, TokenClient } from "./token-client.queries.ts";

/** What the token endpoint answers (RFC 6749, 5.1). */
export interface IssuedTokens {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

const pairColumns = [
  "access_hash",
  "refresh_hash",
  "family_hash",
  "scopes",
  "access_expires_at",
  "refresh_expires_at",
] as const;
const tokenInsert = defineInsert("oauth_tokens", ["grant_id", ...pairColumns], {
  leaves: ["spent_at", "access_revoked_at"],
});

/** A new pair, as it is answered and as it is stored; `before`: the refresh token that it follows. */
function mint(scopes: readonly ScopeName[], now: Date, before?: string) {
  const [access, refresh] = [mintSecret("crm_at_"), mintRefreshToken(before)];
  const { accessTokenSeconds, refreshTokenSeconds } = limits.oauth;
  const issued: IssuedTokens = {
    access_token: access,
    token_type: "Bearer",
    expires_in: accessTokenSeconds,
    refresh_token: refresh,
    scope: scopes.join(" "),
  };
  const stored: Record<(typeof pairColumns)[number], Value> = {
    access_hash: hashSecret(access),
    refresh_hash: hashSecret(refresh),
    family_hash: hashFamily(refresh),
    scopes: JSON.stringify(scopes),
    access_expires_at: new Date(now.getTime() + accessTokenSeconds * 1000),
    refresh_expires_at: new Date(now.getTime() + refreshTokenSeconds * 1000),
  };
  return { issued, stored };
}

/** A code as it is stored, for the client that it was made for. */
export interface StoredCode {
  readonly id: number;
  readonly grantId: number;
  readonly locationId: number;
  readonly redirectUri: string;
  readonly scopes: readonly ScopeName[];
  readonly codeChallenge: string | null;
  readonly isRedeemed: boolean;
}

const codeText = `
  select c.id, c.grant_id, g.location_id, c.redirect_uri, c.scopes, i.scopes as latest_scopes, c.code_challenge, c.redeemed_at, c.expires_at, (${grantHolds}) as holds
  from oauth_codes c join oauth_grants g on g.id = c.grant_id join memberships m on m.id = g.membership_id
  ${withInstall}
  where c.hash = ? and g.app_id = ?`;

/** Undefined for a code that is unknown, of another client, too old, given by somebody who lost the location, or of which a later consent left nothing. */
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
  // A second use is told from a first one that comes too late: it ends what the first one got.
  if (!isRedeemed && (row.expires_at <= now.getTime() || !row.holds)) return undefined;
  const scopes = row.latest_scopes === null ? [] : effectiveScopes(row.scopes, row.latest_scopes);
  if (!isRedeemed && scopes.length === 0) return undefined;
  return {
    id: row.id,
    grantId: row.grant_id,
    locationId: row.location_id,
    redirectUri: row.redirect_uri,
    scopes,
    codeChallenge: row.code_challenge,
    isRedeemed,
  };
}

const redeemText = "update oauth_codes set redeemed_at = ? where id = ? and redeemed_at is null returning id";

/** Tokens for the first who redeems the code, however many do at once; for every other one what was issued ends, and undefined. */
export async function redeemCode(rows: Writer, code: StoredCode, now: Date): Promise<IssuedTokens | undefined> {
  const [redeemed] = await rows.rows(redeemText, [now, code.id]);
  if (redeemed === undefined) {
    await revokeGrant(rows, code.grantId, now);
    return undefined;
  }
  const { issued, stored } = mint(code.scopes, now);
  sendRows(rows, tokenInsert, [{ grant_id: code.grantId, ...stored }]);
  return issued;
}

const insertForSpent = `insert into oauth_tokens (grant_id, ${pairColumns.join(", ")})
  select grant_id, ${placeholders(pairColumns.length)} from spent returning id`;
/** A second use waits for the first, and then finds nothing to spend. */
const rotation = updateFeedingInsert({
  name: "spent",
  update: { table: "oauth_tokens", set: "spent_at = ?", where: "id = ? and spent_at is null" },
  holds: "refresh_expires_at > ?",
  returning: "grant_id",
  insert: insertForSpent,
});

/**
 * New tokens for the first who hands the living refresh token in. Undefined for every other: who found it unspent and comes second all the
 * same was there at the same time.
 */
export async function rotateRefreshToken(
  database: Database,
  { id, text }: StoredRefreshToken,
  scopes: readonly ScopeName[],
  now: Date,
): Promise<IssuedTokens | undefined> {
  const { issued, stored } = mint(scopes, now, text);
  const rotated = await database.transaction(async ({ send, rowsLater }) => {
    const inserted = rowsLater(rotation.text, [now, id, ...pairColumns.map((column) => stored[column])]);
    send(rotation.after, [now, id]);
    return inserted;
  });
  return (await rotated()).length > 0 ? issued : undefined;
}

/**
 * Whether the refresh token is spent. Within ten seconds that is a second worker of the same client, and harms nothing; later there is a copy of
 * it, and the whole family ends (RFC 9700, 4.14.2).
 */
export async function judgeReuse(
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

/** Ends everything that one consent gave. */
async function revokeGrant(rows: Rows, grantId: number, now: Date): Promise<void> {
  await rows.rows(revokeGrantText, [now, grantId]);
}

const byRefreshText = `
  select t.grant_id from oauth_tokens t join oauth_grants g on g.id = t.grant_id
  where (t.refresh_hash = ? or (t.family_hash = ? and t.spent_at is null)) and g.app_id = ?`;
const revokeAccessText = `
  update oauth_tokens set access_revoked_at = ? where access_hash = ? and access_revoked_at is null
    and grant_id in (select id from oauth_grants where app_id = ?)`;

/** RFC 7009: a refresh token goes with all that its consent gave, an access token alone. One of another client is left as it is. */
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
  // Codes stay a day longer, so that a late second use still ends what the first one got.
  const codes = await rows.rows<{ grant_id: number }>(forgetCodesText, [dayAgo]);
  const spent = await rows.rows<{ grant_id: number }>(forgetSpentText, [dayAgo]);
  const tokens = await rows.rows<{ grant_id: number }>(forgetTokensText, [now]);
  const gone = [...codes, ...spent, ...tokens];
  if (gone.length > 0) await rows.rows(emptyGrantsText, [JSON.stringify(gone.map(({ grant_id }) => grant_id))]);
  return requests + gone.length;
}
