/** Reads the apps of a workspace, without secrets. */
import type { Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { toAppView } from "./app.view.ts";
import type { AppRow, AppView } from "./app.view.ts";

const selectText = `
  select id, name, client_id, secret_last_four, redirect_uris, scopes, billing, install_type, payment_page_url, price_cents,
    trial_days, published_at, created_at
  from apps where workspace_id = ?`;
const pageText = `${selectText} and id > ? order by id limit ?`;
const findText = `${selectText} and id = ?`;

/** A page of the apps of the workspace, oldest first. */
export function listApps(reader: Reader, query: PageQuery): Promise<Page<AppView>> {
  const { workspaceId } = reader;
  return page(reader.tools.cursors, query, {
    list: `apps ${workspaceId}`,
    find: ([id]: [id: number] = [0], most) => reader.rows<AppRow>(pageText, [workspaceId, id, most]),
    placeOf: ({ id }): [id: number] => [id],
    show: toAppView,
  });
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
