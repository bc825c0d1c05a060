/** SQL that tells what a person gave an app, and whether it still holds: for its tokens, its webhooks, and the lists of installs. */
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { reaches } from "../../tenancy/users/membership.reach.ts";
import { within } from "../../vocabulary/scopes.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";

/** Of grant `g` and the membership `m` of who gave it: it is not revoked, and they reach its location. */
export const grantHolds = `g.revoked_at is null and ${reaches("g.location_id")}`;

/** Joins the living install `i` of grant `g`, whose scopes bound what the grant gives. */
export const withInstall =
  "left join app_installs i on i.location_id = g.location_id and i.app_id = g.app_id and i.uninstalled_at is null";

/** What a token or a code may still do: its own scopes, within those of the latest consent. Both as JSON. */
export function effectiveScopes(own: string, latest: string): ScopeName[] {
  return within(JSON.parse(own) as ScopeName[], JSON.parse(latest) as ScopeName[]);
}

interface AppAtLocation {
  readonly app: string;
  readonly location: string | SqlText;
}

/** Whether somebody who reaches the location lets the app work there; both are given as SQL expressions. */
export function isAllowed({ app, location }: AppAtLocation): SqlText {
  return sql`exists (select 1 from oauth_grants g join memberships m on m.id = g.membership_id
    where g.app_id = ${app} and g.location_id = ${location} and ${grantHolds})`;
}

/** The scopes of the latest consent, as JSON, where the app is allowed to work in the location; null where it is not. */
export function allowedScopes({ app, location }: AppAtLocation): SqlText {
  return sql`(select i.scopes from app_installs i where i.location_id = ${location} and i.app_id = ${app}
    and i.uninstalled_at is null and ${isAllowed({ app, location })})`;
}
