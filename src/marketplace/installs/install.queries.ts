/** Reads installs. */
import type { Reader } from "../../events/caller.ts";
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
const ofAppText = sql`${selectText} where i.app_id = ? order by i.id`;
const inWorkspaceText = sql`${selectText} where l.workspace_id = ? and i.id = ?`;

/** All installs of an app, including ended ones, oldest first. The app must belong to the workspace. */
export async function listInstalls(reader: Reader, appId: number): Promise<InstallView[]> {
  return (await reader.rows<InstallRow>(ofAppText, [appId])).map(toInstall);
}

/** Current installs in these locations, including inactive ones. */
export async function findInstallsIn(rows: Rows, locationIds: readonly number[]): Promise<InstallView[]> {
  if (locationIds.length === 0) return [];
  const text = sql`${selectText} where i.location_id in (${placeholders(locationIds.length)}) and i.uninstalled_at is null
    order by i.id`;
  return (await rows.rowsOnce<InstallRow>(text, locationIds)).map(toInstall);
}

/** The install in a location that the reader may access. */
export async function findInstall(reader: Reader, id: number): Promise<InstallView | undefined> {
  const [row] = await reader.rows<InstallRow>(inWorkspaceText, [reader.workspaceId, id]);
  const reached = visibleIds(reader);
  if (row === undefined || (reached !== null && !reached.includes(row.location_id))) return undefined;
  return toInstall(row);
}
