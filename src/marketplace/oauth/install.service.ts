/** Reads where apps are installed, and takes them out: their tokens end with it. */
import type { Change, Reader } from "../../events/caller.ts";
import { toNullableTimestamp, toTimestamp } from "../../kit/time/timestamp.ts";
import type { Rows } from "../../storage/rows.ts";
import { placeholders } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { removeHooksOfApp } from "../../webhooks/hooks/hook.service.ts";
import { cancelSubscriptions, holdSubscriptions } from "../billing/subscription.service.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { isAllowed } from "./grant.queries.ts";

/** An app in a location. */
export interface InstallView {
  readonly id: number;
  readonly app: { readonly id: number; readonly name: string };
  readonly location: { readonly id: number; readonly name: string };
  readonly installed_by: { readonly id: number; readonly name: string };
  readonly scopes: readonly ScopeName[];
  /** `inactive` where its tokens and webhooks are dead though nobody took it out: whoever let it in has lost the location, or it gave its tokens up. */
  readonly status: "active" | "inactive" | "uninstalled";
  readonly installed_at: string;
  readonly uninstalled_at: string | null;
}

interface InstallRow {
  readonly id: number;
  readonly app_id: number;
  readonly app_name: string;
  readonly location_id: number;
  readonly location_name: string;
  readonly user_id: number;
  readonly user_name: string;
  readonly scopes: string;
  readonly is_allowed: boolean | number;
  readonly installed_at: number;
  readonly uninstalled_at: number | null;
}

const selectText = sql`
  select i.id, i.app_id, a.name as app_name, i.location_id, l.name as location_name, i.user_id, i.user_name, i.scopes,
    i.installed_at, i.uninstalled_at, ${isAllowed({ app: "i.app_id", location: "i.location_id" })} as is_allowed
  from app_installs i join apps a on a.id = i.app_id join locations l on l.id = i.location_id`;
const ofAppText = sql`${selectText} where i.app_id = ? order by i.id`;
const inWorkspaceText = sql`${selectText} where l.workspace_id = ? and i.id = ?`;

/** Everywhere that an app was installed, ended installs included, the oldest first. The app is known to be of the workspace. */
export async function listInstalls(reader: Reader, appId: number): Promise<InstallView[]> {
  return (await reader.rows<InstallRow>(ofAppText, [appId])).map(toView);
}

/** What is installed now in these locations, inactive ones included. */
export async function findInstallsIn(rows: Rows, locationIds: readonly number[]): Promise<InstallView[]> {
  if (locationIds.length === 0) return [];
  const text = sql`${selectText} where i.location_id in (${placeholders(locationIds.length)}) and i.uninstalled_at is null
    order by i.id`;
  return (await rows.rowsOnce<InstallRow>(text, locationIds)).map(toView);
}

/** The install in a location of the workspace of `reader`. */
async function getInstall(reader: Reader, id: number): Promise<InstallView> {
  const [row] = await reader.rows<InstallRow>(inWorkspaceText, [reader.workspaceId, id]);
  if (row === undefined) throw new Refusal("install.not_found");
  return toView(row);
}

const endText = "update app_installs set uninstalled_at = ? where id = ? and uninstalled_at is null returning id";
const revokeText = `
  update oauth_grants set revoked_at = ? where app_id = ? and location_id = ? and revoked_at is null`;

/**
 * Takes an app out of a location of the workspace: every token and webhook of it there is dead with the commit, and who pays for it does no
 * more. One that has ended stays as it is. Refuses `install.not_found`.
 */
export async function uninstall(change: Change, id: number): Promise<InstallView> {
  const install = await getInstall(change, id);
  const place = { appId: install.app.id, workspaceId: change.workspaceId, locationId: install.location.id };
  await holdSubscriptions(change, place);
  const ended = await change.rows(endText, [change.now, id]);
  // What is there now is another install.
  if (ended.length === 0) return getInstall(change, id);
  cancelSubscriptions(change, place, change.now);
  await change.rows(revokeText, [change.now, install.app.id, install.location.id]);
  await removeHooksOfApp(change, install.app.id, install.location.id);
  return getInstall(change, id);
}

function toView(row: InstallRow): InstallView {
  return {
    id: row.id,
    app: { id: row.app_id, name: row.app_name },
    location: { id: row.location_id, name: row.location_name },
    installed_by: { id: row.user_id, name: row.user_name },
    scopes: JSON.parse(row.scopes) as ScopeName[],
    status: row.uninstalled_at !== null ? "uninstalled" : row.is_allowed ? "active" : "inactive",
    installed_at: toTimestamp(row.installed_at),
    uninstalled_at: toNullableTimestamp(row.uninstalled_at),
  };
}
