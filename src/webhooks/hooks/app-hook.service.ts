/** The own webhook of an app: at most one, in the workspace that owns the app, told of its installs and subscriptions. */
import type { Change } from "../../events/caller.ts";
import { forNoKeyUpdate } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { appEventNames } from "../../vocabulary/events.ts";
import { Hook } from "./hook.entity.ts";
import { insertHook, lockHookCount, refuseTooMany, removedAt } from "./hook.service.ts";

const lockText = sql`select id from hooks where owner_app_id = ? and removed_at is null${forNoKeyUpdate("hooks")}`;

/**
 * Sets the target of the app's own webhook; null removes it, and cancels its pending deliveries. Resolves to the secret
 * of a new one, which is shown once, or else to null. The app must be locked, and the target judged. Refuses, on
 * `webhook_url`, a webhook beyond those that a workspace can have.
 */
export async function setAppHook(change: Change, appId: number, targetUrl: string | null): Promise<string | null> {
  // Locked before it is read, since another change may remove it.
  lockHookCount(change);
  await change.rows(lockText, [appId]);
  const held = await change.em.findOne(Hook, { ownerAppId: appId, removedAt: null });
  if (held !== null) {
    if (targetUrl === null) Object.assign(held, removedAt(change.now));
    else if (targetUrl !== held.targetUrl) {
      const status = held.status === "disabled" ? "active" : held.status;
      Object.assign(held, { targetUrl, status, failingSince: null });
    }
    await change.em.flush();
    return null;
  }
  if (targetUrl === null) return null;
  await refuseTooMany(change, null, "webhook_url");
  const { secret } = await insertHook(change, {
    location: null,
    locationIds: null,
    scopes: "[]",
    ownerAppId: appId,
    events: JSON.stringify(appEventNames),
    targetUrl,
    afterPosition: 0,
  });
  return secret;
}
