/** Uninstalls apps and revokes their tokens. */
import type { Change, Reader } from "../../events/caller.ts";
import { forShare } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { removeHooksOfApp } from "../../webhooks/hooks/hook.service.ts";
import { watchSubscriptions } from "../billing/subscription-news.ts";
import { cancelSubscriptions, lockSubscriptions } from "../billing/subscription.service.ts";
import { tellUninstalled } from "./install-news.ts";
import { findInstall } from "./install.queries.ts";
import type { InstallView } from "./install.view.ts";

const endText = "update app_installs set uninstalled_at = ? where id = ? and uninstalled_at is null returning id";
const revokeText = `
  update oauth_grants set revoked_at = ? where app_id = ? and location_id = ? and revoked_at is null`;

/**
 * Uninstalls an app from a location that the caller may access: its tokens and webhooks there end with the commit, and
 * so does its subscription. An ended install is unchanged. Refuses `install.not_found`.
 */
export async function uninstallApp(change: Change, id: number): Promise<InstallView> {
  const install = await getInstall(change, id);
  const installed = { appId: install.app.id, workspaceId: change.workspaceId, locationId: install.location.id };
  await lockSubscriptions(change, installed);
  const ended = await change.rows(endText, [change.now, id]);
  // The current install is a newer one.
  if (ended.length === 0) return getInstall(change, id);
  const tellChanges = await watchSubscriptions(change, installed);
  await cancelSubscriptions(change, installed, change.now);
  await change.rows(revokeText, [change.now, install.app.id, install.location.id]);
  await removeHooksOfApp(change, install.app.id, install.location.id);
  await tellUninstalled(change, { ...installed, now: change.now });
  await tellChanges(change.now);
  return getInstall(change, id);
}

const holdText = sql`select id from app_installs where location_id = ? and app_id = ? and uninstalled_at is null
  ${forShare("app_installs")}`;

/**
 * Refuses `invalid_api_key` for an app that was uninstalled after its token was checked; until the commit, an uninstall waits. Any other
 * credential passes.
 */
export async function requireInstalled(change: Change): Promise<void> {
  const { grant, locationIds } = change;
  if (grant.appId === null) return;
  // The one location of the app's token.
  const [install] = await change.rows(holdText, [locationIds![0]!, grant.appId]);
  if (install === undefined) throw new Refusal("invalid_api_key", {}, { detail: "The app was uninstalled." });
}

async function getInstall(reader: Reader, id: number): Promise<InstallView> {
  const install = await findInstall(reader, id);
  if (install === undefined) throw new Refusal("install.not_found");
  return install;
}
