/** SQL about grants: their scopes and validity, for tokens, webhooks and installs. */
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { reaches } from "../../tenancy/users/membership.reach.ts";
import { within } from "../../vocabulary/scopes.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";

/** Whether grant `g` is valid: not revoked, and its giver's membership `m` has access to its location. */
export const grantHolds = `g.revoked_at is null and ${reaches("g.location_id")}`;

/** Joins the active install `i` of grant `g`, whose scopes limit those of the grant. */
export const withInstall =
  "left join app_installs i on i.location_id = g.location_id and i.app_id = g.app_id and i.uninstalled_at is null";

/** The effective scopes of a token or code: its own, limited by those of the latest consent. Both as JSON. */
export function effectiveScopes(own: string, latest: string): ScopeName[] {
  return within(JSON.parse(own) as ScopeName[], JSON.parse(latest) as ScopeName[]);
}

interface AppAtLocation {
  readonly app: string;
  readonly location: string | SqlText;
}

/** Whether a person with access to the location allows the app there; both are SQL expressions. */
export function isAllowed({ app, location }: AppAtLocation): SqlText {
  return sql`exists (select 1 from oauth_grants g join memberships m on m.id = g.membership_id
    where g.app_id = ${app} and g.location_id = ${location} and ${grantHolds})`;
}

/** The scopes of the latest consent, as JSON, if the app has access to the location; else null. */
export function allowedScopes({ app, location }: AppAtLocation): SqlText {
  return sql`(select i.scopes from app_installs i where i.location_id = ${location} and i.app_id = ${app}
    and i.uninstalled_at is null and ${isAllowed({ app, location })})`;
}
