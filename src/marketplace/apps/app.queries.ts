/** Reads the apps of a workspace, without secrets. */
import type { Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { toAppView } from "./app.view.ts";
import type { AppRow, AppView } from "./app.view.ts";

const selectText = `
  select a.id, a.name, a.client_id, a.secret_last_four, a.redirect_uris, a.scopes, a.billing, a.install_type,
    a.payment_page_url, a.price_cents, a.trial_days, a.published_at, a.created_at, h.id as webhook_id, h.target_url as webhook_url
  from apps a left join hooks h on h.owner_app_id = a.id and h.removed_at is null
  where a.workspace_id = ?`;
const pageText = `${selectText} and a.id > ? order by a.id limit ?`;
const findText = `${selectText} and a.id = ?`;

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
