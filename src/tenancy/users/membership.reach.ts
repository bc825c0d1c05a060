/** The rule that says which locations a person reaches: all of the workspace, or those that the membership names. */

/** SQL that holds when membership `m` reaches one of the locations that `locations` writes: a column, or parameters. */
export function reaches(locations: string): string {
  return `(m.all_locations or exists (
    select 1 from membership_locations reached where reached.membership_id = m.id and reached.location_id in (${locations})))`;
}
