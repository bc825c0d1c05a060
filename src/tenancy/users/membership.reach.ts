/** Location access of a person: all of the workspace, or those that the membership names. */
import { listed } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";

/** An SQL condition: the row of `memberships` gives access to one of the locations of a JSON list, which it binds. */
export const reachesListed = sql`(memberships.all_locations or exists (select 1 from membership_locations reached
  where reached.membership_id = memberships.id and reached.location_id in ${listed}))`;

/** An SQL condition: membership `m` gives access to one of `locations`, a column or a list of placeholders. */
export function reaches(locations: string): string {
  return `(m.all_locations or exists (
    select 1 from membership_locations reached where reached.membership_id = m.id and reached.location_id in (${locations})))`;
}
