/** Reads locations: those that a credential may see, and the one that a request names. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { placeholders } from "../../storage/rows.ts";
import type { Rows } from "../../storage/rows.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { locationColumns } from "./location.view.ts";
import type { LocationView } from "./location.view.ts";

const placeText = "select id, country, timezone from locations where id = ? and workspace_id = ?";

/** Whether a credential that was given `locationIds` (null: every one of its workspace) may see this one. */
export function maySee(locationIds: readonly number[] | null, id: number): boolean {
  return locationIds === null || locationIds.includes(id);
}

/** The location of `workspaceId` with this id, unless `locationIds` (null: every one) leaves it out. On the road of every request. */
export async function findPlace(
  rows: Rows,
  workspaceId: number,
  locationIds: readonly number[] | null,
  id: number,
): Promise<LocationContext | undefined> {
  if (!maySee(locationIds, id)) return undefined;
  const [place] = await rows.rows<LocationContext>(placeText, [id, workspaceId]);
  return place;
}

/** The workspace that a location belongs to. */
export async function findWorkspaceOf(rows: Rows, locationId: number): Promise<number | undefined> {
  const [found] = await rows.rows<{ workspace_id: number }>("select workspace_id from locations where id = ?", [
    locationId,
  ]);
  return found?.workspace_id;
}

const namesText = `select l.id, l.name, l.workspace_id, w.name as workspace
  from locations l join workspaces w on w.id = l.workspace_id`;

/** The locations of a workspace, or with null of every one: for the terminal alone, where a location may be named without its workspace. */
export function listLocationNames(
  rows: Rows,
  workspaceId: number | null,
): Promise<{ id: number; name: string; workspace_id: number; workspace: string }[]> {
  return workspaceId === null
    ? rows.rows(`${namesText} order by l.id`)
    : rows.rows(`${namesText} where l.workspace_id = ? order by l.id`, [workspaceId]);
}

const listText = `select ${locationColumns} from locations where workspace_id = ?`;
const listAllText = `${listText} order by id`;

/** The locations that `reader` may see, the oldest first; inside a location that one alone. */
export function listLocations(reader: Reader): Promise<LocationView[]> {
  const ids = visibleIds(reader);
  if (ids === null) return reader.rows(listAllText, [reader.workspaceId]);
  return reader.rowsOnce(`${listText} and id in (${placeholders(ids.length)}) order by id`, [
    reader.workspaceId,
    ...ids,
  ]);
}

/** The locations that an answer to `reader` may speak of; null means every one of the workspace. */
export function visibleIds({
  location,
  locationIds,
}: Pick<Reader, "location" | "locationIds">): readonly number[] | null {
  return location === null ? locationIds : [location.id];
}

/** Refuses, on `location_ids`, a list that is empty or names a location that the workspace does not have. */
export async function requireLocations(reader: Reader, ids: readonly number[]): Promise<void> {
  if (ids.length === 0)
    throw new Invalid({ location_ids: ["The location ids field must name at least one location."] });
  const found = await reader.rowsOnce<{ id: number }>(
    `select id from locations where workspace_id = ? and id in (${placeholders(ids.length)})`,
    [reader.workspaceId, ...ids],
  );
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  throw new Invalid({ location_ids: unknown.map((id) => `The workspace has no location ${id}.`) });
}
