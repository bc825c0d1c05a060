/** Reads installs. */
import type { Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { placeholders } from "../../storage/rows.ts";
import type { Rows } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { visibleIds } from "../../tenancy/locations/location.queries.ts";
import { isAllowed } from "../oauth/grant.queries.ts";
import { toInstall } from "./install.view.ts";
import type { InstallRow, InstallView } from "./install.view.ts";

const selectText = sql`
  select i.id, i.app_id, a.name as app_name, i.location_id, l.name as location_name, i.user_id, i.user_name, i.scopes,
    i.installed_at, i.uninstalled_at, ${isAllowed({ app: "i.app_id", location: "i.location_id" })} as is_allowed
  from app_installs i join apps a on a.id = i.app_id join locations l on l.id = i.location_id`;
const ofAppText = sql`${selectText} where i.app_id = ? and i.id > ? order by i.id limit ?`;
const inWorkspaceText = sql`${selectText} where l.workspace_id = ? and i.id = ?`;

/** A page of the installs of an app, including ended ones, oldest first. The app must belong to the workspace. */
export function listInstalls(reader: Reader, appId: number, query: PageQuery): Promise<Page<InstallView>> {
  return page(reader.tools.cursors, query, {
    list: `installs of app ${appId}`,
    find: ([id]: [id: number] = [0], most) => reader.rows<InstallRow>(ofAppText, [appId, id, most]),
    placeOf: ({ id }): [id: number] => [id],
    show: toInstall,
  });
}

/** Current installs in these locations, including inactive ones. */
export async function findInstallsIn(rows: Rows, locationIds: readonly number[]): Promise<InstallView[]> {
  if (locationIds.length === 0) return [];
  const text = sql`${selectText} where i.location_id in (${placeholders(locationIds.length)}) and i.uninstalled_at is null
    order by i.id`;
  return (await rows.rowsOnce<InstallRow>(text, locationIds)).map(toInstall);
}

const currentText = sql`${selectText} where l.workspace_id = ? and i.uninstalled_at is null
  and (i.location_id, i.app_id) > (?, ?)`;
/** The order of the index of current installs. */
const byLocation = sql`order by i.location_id, i.app_id limit ?`;
const pageText = sql`${currentText} ${byLocation}`;

type InstallPosition = [location: number, app: number];

/** A page of the current installs in the locations that the reader may access, including inactive ones, by location. */
export function listInstalledApps(reader: Reader, query: PageQuery): Promise<Page<InstallView>> {
  const { workspaceId } = reader;
  const reached = visibleIds(reader);
  return page(reader.tools.cursors, query, {
    list: `installed apps ${workspaceId} of ${reached?.join(" ") ?? "all"}`,
    find: async ([location, app]: InstallPosition = [0, 0], most) => {
      const params = [workspaceId, location, app] as const;
      if (reached === null) return reader.rows<InstallRow>(pageText, [...params, most]);
      if (reached.length === 0) return [];
      const text = sql`${currentText} and i.location_id in (${placeholders(reached.length)}) ${byLocation}`;
      return reader.rowsOnce<InstallRow>(text, [...params, ...reached, most]);
    },
    placeOf: ({ location_id: location, app_id: app }): InstallPosition => [location, app],
    show: toInstall,
  });
}

/** The install in a location that the reader may access. */
export async function findInstall(reader: Reader, id: number): Promise<InstallView | undefined> {
  const [row] = await reader.rows<InstallRow>(inWorkspaceText, [reader.workspaceId, id]);
  const reached = visibleIds(reader);
  if (row === undefined || (reached !== null && !reached.includes(row.location_id))) return undefined;
  return toInstall(row);
}
