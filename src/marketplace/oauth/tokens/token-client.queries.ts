/** Finds the client of a token request and its refresh token, in one query. */
import { hashSecret, isWellFormedSecret } from "../../../kit/secrets/secret.ts";
import type { Rows } from "../../../storage/rows.ts";
import type { ScopeName } from "../../../vocabulary/scopes.ts";
import { hashFamily } from "./refresh-token.ts";
import { grantHolds, effectiveScopes, withInstall } from "../grant.queries.ts";

/** A stored refresh token, including spent ones. */
export interface StoredRefreshToken {
  readonly id: number;
  /** The ID of the token. */
  readonly text: string;
  readonly grantId: number;
  readonly locationId: number;
  readonly workspaceId: number;
  readonly scopes: readonly ScopeName[];
  /** When it was rotated, in milliseconds, 0 if its row is already deleted; null if unspent. */
  readonly spentAt: number | null;
}

export interface TokenClient {
  readonly id: number;
  readonly secretHash: string;
  /** Undefined if unknown, of another client, expired, revoked, or without scopes after a later consent. */
  readonly refreshToken: StoredRefreshToken | undefined;
}

/** Each look-up uses a unique index. */
const text = `
  select a.id, a.secret_hash, t.id as token_id, t.refresh_hash, t.grant_id, g.location_id, m.workspace_id, coalesce(t.refresh_scopes, t.scopes) as scopes, i.scopes as latest_scopes, t.spent_at, (${grantHolds}) as holds
  from apps a
    left join oauth_tokens t on t.id = coalesce(
      (select id from oauth_tokens where refresh_hash = ?),
      (select id from oauth_tokens where family_hash = ? and spent_at is null)) and t.refresh_expires_at > ?
    left join oauth_grants g on g.id = t.grant_id and g.app_id = a.id
    left join memberships m on m.id = g.membership_id
    ${withInstall}
  where a.client_id = ?`;

interface TokenClientRow {
  readonly id: number;
  readonly secret_hash: string;
  readonly token_id: number;
  /** Of the token, or of the live one of its family if its own row is deleted. */
  readonly refresh_hash: string;
  readonly grant_id: number;
  readonly location_id: number;
  readonly workspace_id: number;
  readonly scopes: string;
  /** Scopes of the latest consent; null if the app is uninstalled. */
  readonly latest_scopes: string | null;
  readonly spent_at: number | null;
  /** Null if the token does not exist or is of another client. */
  readonly holds: boolean | number | null;
}

/** Nothing is validated yet: neither the secret nor repeated fields. */
export async function findTokenClient(
  rows: Rows,
  { clientId, refreshToken, now }: { clientId: string; refreshToken: string | undefined; now: Date },
): Promise<TokenClient | undefined> {
  const hash = refreshToken === undefined ? null : hashSecret(refreshToken);
  // Text that the database cannot store is no client ID.
  const wellFormed = isWellFormedSecret("crm_app_", clientId) ? clientId : "";
  const family = refreshToken === undefined ? null : hashFamily(refreshToken);
  const [row] = await rows.rows<TokenClientRow>(text, [hash, family, now, wellFormed]);
  return (
    row && { id: row.id, secretHash: row.secret_hash, refreshToken: toRefreshToken(row, refreshToken ?? "", hash) }
  );
}

function toRefreshToken(row: TokenClientRow, given: string, hash: string | null): StoredRefreshToken | undefined {
  if (!row.holds || row.latest_scopes === null) return undefined;
  const scopes = effectiveScopes(row.scopes, row.latest_scopes);
  if (scopes.length === 0) return undefined;
  const { token_id: id, grant_id: grantId, location_id: locationId, workspace_id: workspaceId } = row;
  return {
    id,
    text: given,
    grantId,
    locationId,
    workspaceId,
    scopes,
    spentAt: row.refresh_hash === hash ? row.spent_at : 0,
  };
}
