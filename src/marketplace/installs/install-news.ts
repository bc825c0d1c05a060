/** Tells an app's own webhook of installs: `app.installed`, `app.uninstalled`. */
import type { Writer } from "../../storage/rows.ts";
import type { AppEventName } from "../../vocabulary/events.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { findAppHook, tellApp } from "../../webhooks/deliveries/tell-app.ts";

interface ChangedInstall {
  readonly appId: number;
  readonly workspaceId: number;
  readonly locationId: number;
  readonly now: Date;
}

const appText = "select name, client_id from apps where id = ?";

/** Each consent is told, since a later one may change the scopes. Call it last in the transaction. */
export function tellInstalled(change: Writer, install: ChangedInstall, scopes: readonly ScopeName[]): Promise<void> {
  return tell(change, "app.installed", install, { scopes });
}

/** Call it last in the transaction. */
export function tellUninstalled(change: Writer, install: ChangedInstall): Promise<void> {
  return tell(change, "app.uninstalled", install, {});
}

async function tell(
  change: Writer,
  event: AppEventName,
  { appId, workspaceId, locationId, now }: ChangedInstall,
  more: object,
): Promise<void> {
  const hook = await findAppHook(change, appId);
  if (hook === undefined) return;
  const [app] = await change.rows<{ name: string; client_id: string }>(appText, [appId]);
  const data = { app: app!, workspace_id: workspaceId, location_id: locationId, ...more };
  await tellApp(change, hook, { event, data, now });
}
