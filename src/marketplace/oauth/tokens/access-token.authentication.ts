/** Authenticates an OAuth access token in one query, and rejects a token that is malformed, unknown, revoked or expired. */
import type { LocationContext } from "../../../events/caller.ts";
import type { Authenticate } from "../../../http/credential.ts";
import { hashSecret, isWellFormedSecret } from "../../../kit/secrets/secret.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Database } from "../../../storage/database.ts";
import { givingIds, readIds } from "../../../storage/inserting/ids-ahead.ts";
import { sql } from "../../../storage/sql-text.ts";
import { hasCustomFields } from "../../../tenancy/locations/location.queries.ts";
import { reaches } from "../../../tenancy/users/membership.reach.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import { effectiveScopes, withInstall } from "../grant.queries.ts";

interface TokenRow {
  readonly scopes: string;
  /** Scopes of the latest consent; null if the app is uninstalled. */
  readonly latest_scopes: string | null;
  /** When the payment for the install is due, in milliseconds; null while it is paid. */
  readonly payment_due_at: number | null;
  readonly access_expires_at: number;
  readonly is_revoked: boolean | number;
  /** Whether the person who installed the app still has access to the location. */
  readonly holds: boolean | number;
  readonly app_id: number;
  readonly app_name: string;
  /** The person who installed the app. */
  readonly user_id: number;
  readonly user_name: string;
  readonly workspace_id: number;
  readonly location_id: number;
  readonly country: string;
  readonly timezone: string;
  readonly has_custom_fields: boolean | number;
}

const findText = givingIds(
  (ids) => sql`
  select t.scopes, t.access_expires_at, i.scopes as latest_scopes, i.payment_due_at,
    (g.revoked_at is not null or t.access_revoked_at is not null) as is_revoked,
    ${reaches("g.location_id")} as holds,
    a.id as app_id, a.name as app_name, u.id as user_id, u.name as user_name, l.workspace_id, l.id as location_id, l.country, l.timezone,
    ${hasCustomFields("l.workspace_id")}${ids}
  from oauth_tokens t join oauth_grants g on g.id = t.grant_id join memberships m on m.id = g.membership_id
  join users u on u.id = m.user_id join apps a on a.id = g.app_id join locations l on l.id = g.location_id
  ${withInstall}
  where t.access_hash = ?`,
);

const malformed = {
  why: "This is not an access token: a token is crm_at_ and 36 letters and digits, the last six of which are a checksum.",
};
const unknown = { why: "There is no such access token." };
const revoked = { why: "This access token was revoked." };
const lost = { why: "The person who allowed this app no longer has access to the location." };
const expired = { why: "This access token has expired: use the refresh token." };

export function createTokenAuthentication({ database, clock }: { database: Database; clock: Clock }): Authenticate {
  return async (token, { locationId, inserts = [] } = {}) => {
    if (!isWellFormedSecret("crm_at_", token)) return malformed;
    const hash = hashSecret(token);
    const [found] = await database.forHolder(hash).rows<TokenRow>(findText(inserts), [hash]);
    if (found === undefined) return unknown;
    if (found.is_revoked || found.latest_scopes === null) return revoked;
    if (!found.holds) return lost;
    if (found.access_expires_at <= clock.now().getTime()) return expired;
    if (found.payment_due_at !== null && found.payment_due_at <= clock.now().getTime())
      throw new Refusal("payment_required");
    const {
      app_id: appId,
      app_name: name,
      workspace_id: workspaceId,
      location_id: id,
      country,
      timezone,
      has_custom_fields,
    } = found;
    const place: LocationContext | undefined =
      locationId === id ? { id, country, timezone, has_custom_fields } : undefined;
    return {
      identity: {
        workspaceId,
        locationIds: [id],
        actor: { type: "app", id: appId, name },
        grant: { scopes: effectiveScopes(found.scopes, found.latest_scopes), appId, role: null },
        user: { id: found.user_id, name: found.user_name },
        ids: readIds(found, inserts),
      },
      holder: `app ${appId} at ${id}`,
      place,
    };
  };
}
