/** Whom contacts may belong to: people who reach the location. */
import type { Place, Reader } from "../../events/scope.ts";
import { placeholders } from "../../storage/rows.ts";

/** The names, by id, of those of `userIds` who have access to the location: owners of the workspace always have. */
export async function findOwners(reader: Reader<Place>, userIds: ReadonlySet<number>): Promise<Map<number, string>> {
  if (userIds.size === 0) return new Map();
  const rows = await reader.rowsOnce<{ id: number; name: string }>(
    `select users.id, users.name from users join memberships on memberships.user_id = users.id
     where memberships.workspace_id = ? and users.id in (${placeholders(userIds.size)})
       and (memberships.role = 'owner' or memberships.all_locations or exists (
         select 1 from membership_locations
         where membership_locations.membership_id = memberships.id and membership_locations.location_id = ?))`,
    [reader.workspaceId, ...userIds, reader.location.id],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
