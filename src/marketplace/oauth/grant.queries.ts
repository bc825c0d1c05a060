/** SQL that tells whether what a person gave an app still holds: for its tokens, its webhooks, and the lists of installs. */
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { reaches } from "../../tenancy/users/membership.reach.ts";

/** Of grant `g` and the membership `m` of who gave it: it is not revoked, and they reach its location. */
export const grantHolds = `g.revoked_at is null and ${reaches("g.location_id")}`;

/** Whether somebody who reaches the location lets the app work there; both are given as SQL expressions. */
export function isAllowed({ app, location }: { app: string; location: string | SqlText }): SqlText {
  return sql`exists (select 1 from oauth_grants g join memberships m on m.id = g.membership_id
    where g.app_id = ${app} and g.location_id = ${location} and ${grantHolds})`;
}
