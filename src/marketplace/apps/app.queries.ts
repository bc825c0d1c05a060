/** Reads the apps of a workspace, without secrets. */
import type { Reader } from "../../events/caller.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { toAppView } from "./app.view.ts";
import type { AppRow, AppView } from "./app.view.ts";

const selectText = `
  select id, name, client_id, secret_last_four, redirect_uris, scopes, billing, install_type, payment_page_url, price_cents,
    trial_days, published_at, created_at
  from apps where workspace_id = ?`;
const listText = `${selectText} order by id`;
const findText = `${selectText} and id = ?`;

/** The apps of the workspace, oldest first. */
export async function listApps(reader: Reader): Promise<AppView[]> {
  return (await reader.rows<AppRow>(listText, [reader.workspaceId])).map(toAppView);
}

/** The app of the workspace with this id. */
export async function findApp(reader: Reader, id: number): Promise<AppView | undefined> {
  const [row] = await reader.rows<AppRow>(findText, [reader.workspaceId, id]);
  return row && toAppView(row);
}

/** Like findApp, but refuses `app.not_found`. */
export async function getApp(reader: Reader, id: number): Promise<AppView> {
  const app = await findApp(reader, id);
  if (app === undefined) throw new Refusal("app.not_found");
  return app;
}
