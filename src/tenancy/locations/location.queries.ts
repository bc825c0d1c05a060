/** Reads locations: those that a credential has access to, and the one that a request names. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { createSliceQueue, walkSlices } from "../../storage/keyset/slices.ts";
import { placeholders } from "../../storage/rows.ts";
import type { Rows } from "../../storage/rows.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { locationColumns } from "./location.view.ts";
import type { LocationSettingsView, LocationView } from "./location.view.ts";

/** The column `has_custom_fields` of a LocationContext. */
export const hasCustomFields = (workspaceId: string): string =>
  `(select has_custom_fields from workspaces where workspaces.id = ${workspaceId}) as has_custom_fields`;

const placeText = `select id, country, timezone, ${hasCustomFields("workspace_id")} from locations where id = ? and workspace_id = ?`;

/** Whether a credential limited to `locationIds` (null: all of its workspace) has access to this location. */
export function maySee(locationIds: readonly number[] | null, id: number): boolean {
  return locationIds === null || locationIds.includes(id);
}

/** The location of `workspaceId` with this id, if `locationIds` (null: all) includes it. Runs on every request. */
export async function findVisibleLocation(
  rows: Rows,
  workspaceId: number,
  locationIds: readonly number[] | null,
  id: number,
): Promise<LocationContext | undefined> {
  if (!maySee(locationIds, id)) return undefined;
  const [place] = await rows.rows<LocationContext>(placeText, [id, workspaceId]);
  return place;
}

const firstTwoText = `select id, country, timezone, ${hasCustomFields("workspace_id")} from locations where workspace_id = ? order by id limit 2`;

/** The only location of `workspaceId` that `locationIds` (null: all) includes; undefined if there are several, or none. */
export async function findOnlyLocation(
  rows: Rows,
  workspaceId: number,
  locationIds: readonly number[] | null,
): Promise<LocationContext | undefined> {
  if (locationIds !== null) {
    const [id, ...others] = locationIds;
    return id === undefined || others.length > 0 ? undefined : findVisibleLocation(rows, workspaceId, locationIds, id);
  }
  const [only, another] = await rows.rows<LocationContext>(firstTwoText, [workspaceId]);
  return another === undefined ? only : undefined;
}

const settingsText = `select ${locationColumns}, country from locations where id = ? and workspace_id = ?`;

/** All fields of a location that `reader` has access to. */
export async function findLocationSettings(reader: Reader, id: number): Promise<LocationSettingsView | undefined> {
  if (!maySee(reader.locationIds, id)) return undefined;
  const [location] = await reader.rows<LocationSettingsView>(settingsText, [id, reader.workspaceId]);
  return location;
}

const viewText = `select ${locationColumns} from locations where id = ? and workspace_id = ?`;

/** A location that `reader` has access to. Refuses `location.not_found`. */
export async function getLocationView(reader: Reader, id: number): Promise<LocationView> {
  const [location] = maySee(reader.locationIds, id)
    ? await reader.rows<LocationView>(viewText, [id, reader.workspaceId])
    : [];
  if (location === undefined) throw new Refusal("location.not_found");
  return location;
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

/** The locations of a workspace, or of every workspace with null. For the terminal only, where a location may be named without its workspace. */
export function listLocationNames(
  rows: Rows,
  workspaceId: number | null,
): Promise<{ id: number; name: string; workspace_id: number; workspace: string }[]> {
  return workspaceId === null
    ? rows.rows(`${namesText} order by l.id`)
    : rows.rows(`${namesText} where l.workspace_id = ? order by l.id`, [workspaceId]);
}

/** Locations of one slice: some milliseconds. */
const locationsOfSlice = 1000;

const listText = `select ${locationColumns} from locations where workspace_id = ? and id > ?`;
const inOrder = `order by id limit ${locationsOfSlice}`;

const inSliceQueue = createSliceQueue();

/** The locations that `reader` has access to, oldest first; within a location, that location only. They are read in slices. */
export async function listLocations(reader: Reader): Promise<LocationView[]> {
  const ids = visibleIds(reader)?.toSorted((one, other) => one - other);
  const found: LocationView[] = [];
  await walkSlices({ queue: inSliceQueue, holder: queueKeyOf(reader) }, 0, async (after) => {
    const given = ids?.filter((id) => id > after).slice(0, locationsOfSlice);
    if (given?.length === 0) return undefined;
    const slice = await (given === undefined
      ? reader.rows<LocationView>(`${listText} ${inOrder}`, [reader.workspaceId, after])
      : reader.rowsOnce<LocationView>(`${listText} and id in (${placeholders(given.length)}) ${inOrder}`, [
          reader.workspaceId,
          after,
          ...given,
        ]));
    found.push(...slice);
    const isMore = (given ?? slice).length === locationsOfSlice;
    return isMore ? (given?.at(-1) ?? slice.at(-1)!.id) : undefined;
  });
  return found;
}

/** The locations that may appear in a response to `reader`; null means all of the workspace. */
export function visibleIds({
  location,
  locationIds,
}: Pick<Reader, "location" | "locationIds">): readonly number[] | null {
  return location === null ? locationIds : [location.id];
}

/** Refuses, on `location_ids`, an empty list and locations that the workspace does not have. */
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
