/** Finds who asks for tokens, and the refresh token that comes along, in one statement. */
import { hashSecret, isWellFormedSecret } from "../../kit/secrets/secret.ts";
import type { Rows } from "../../storage/rows.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { grantHolds } from "./grant.queries.ts";

/** A refresh token as it is stored, spent ones included. */
export interface StoredRefreshToken {
  readonly id: number;
  readonly grantId: number;
  readonly scopes: readonly ScopeName[];
  /** When it was rotated, in milliseconds; null for one that can be. */
  readonly spentAt: number | null;
}

export interface TokenClient {
  readonly id: number;
  readonly secretHash: string;
  /** Undefined for one that is unknown, of another client, too old or revoked. */
  readonly refreshToken: StoredRefreshToken | undefined;
}

/** Each look-up goes by a unique index. */
const text = `
  select a.id, a.secret_hash, t.id as token_id, t.grant_id, t.scopes, t.spent_at, (${grantHolds}) as holds
  from apps a
    left join oauth_tokens t on t.refresh_hash = ? and t.refresh_expires_at > ?
    left join oauth_grants g on g.id = t.grant_id and g.app_id = a.id
    left join memberships m on m.id = g.membership_id
  where a.client_id = ?`;

interface FoundRow {
  readonly id: number;
  readonly secret_hash: string;
  readonly token_id: number;
  readonly grant_id: number;
  readonly scopes: string;
  readonly spent_at: number | null;
  /** Null where there is no such token, or none of this client. */
  readonly holds: boolean | number | null;
}

/** Nothing has been judged yet: neither the secret of the client nor how often it sent which field. */
export async function findTokenClient(
  rows: Rows,
  { clientId, refreshToken, now }: { clientId: string; refreshToken: string | undefined; now: Date },
): Promise<TokenClient | undefined> {
  const hash = refreshToken === undefined ? null : hashSecret(refreshToken);
  // A text that the database could not take is no client id either.
  const asked = isWellFormedSecret("crm_app_", clientId) ? clientId : "";
  const [row] = await rows.rows<FoundRow>(text, [hash, now, asked]);
  return row && { id: row.id, secretHash: row.secret_hash, refreshToken: row.holds ? toRefreshToken(row) : undefined };
}

function toRefreshToken({ token_id, grant_id, scopes, spent_at }: FoundRow): StoredRefreshToken {
  return { id: token_id, grantId: grant_id, scopes: JSON.parse(scopes) as ScopeName[], spentAt: spent_at };
}
