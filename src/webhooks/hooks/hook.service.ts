/** Changes webhooks: registration, status, secrets, removal. It records no events. */
import type { Change, Reader } from "../../events/caller.ts";
import { findStartPosition } from "../../events/positions.ts";
import { visibleIds } from "../../tenancy/locations/location.queries.ts";
import { forNoKeyUpdate, lockKeys } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { events as origins } from "../../vocabulary/events.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { appScopeNames } from "../../vocabulary/scopes.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { limits } from "../../vocabulary/limits.ts";
import { holdsScope, requireScope } from "../../operation/permission.ts";
import { HookQueue } from "../deliveries/delivery.entity.ts";
import { Hook } from "./hook.entity.ts";
import { mintHookSecret, sealedFor } from "./hook-secret.ts";
import { findHook } from "./hook.queries.ts";
import type { HookPatch } from "./hook.schema.ts";
import type { HookView, NewHookView } from "./hook.view.ts";

interface HookInput {
  /** null: every event covered by the credential's scopes. */
  readonly events: readonly EventName[] | null;
  /** Checked before: DNS queries must not run in a transaction. */
  readonly targetUrl: string;
}

/** Refuses `insufficient_scope` for events that the credential's scopes do not cover. */
export function requireEventScopes(reader: Pick<Reader, "grant">, events: readonly EventName[]): void {
  for (const event of events) requireScope(reader, origins[event].scope);
}

/**
 * Registers a webhook for events from now on, within the access of `change`. Refuses, with 422, to exceed the limit.
 */
export async function registerHook(change: Change, { events, targetUrl }: HookInput): Promise<NewHookView> {
  requireEventScopes(change, events ?? []);
  const reach = visibleIds(change);
  lockHookCount(change);
  await refuseTooMany(change, reach);
  const location = change.location?.id ?? null;
  const { id, secret } = await insertHook(change, {
    location,
    locationIds: reach === null ? null : JSON.stringify(reach),
    scopes: JSON.stringify(change.grant.scopes),
    appId: change.grant.appId,
    events: events === null ? null : JSON.stringify([...new Set(events)]),
    targetUrl,
    afterPosition: await findStartPosition(change),
  });
  return { id, events, target_url: targetUrl, location_id: location, secret };
}

/** The columns of a new webhook that differ between kinds of them. */
interface NewHook {
  readonly location: number | null;
  readonly locationIds: string | null;
  readonly scopes: string;
  readonly appId?: number | null;
  readonly ownerAppId?: number;
  readonly events: string | null;
  readonly targetUrl: string;
  readonly afterPosition: number;
}

/** Inserts a webhook and its queue; resolves to its secret, which is shown once. */
export async function insertHook(
  change: Change,
  columns: NewHook,
): Promise<{ readonly id: number; readonly secret: string }> {
  const hook = change.em.create(Hook, {
    ...columns,
    workspace: change.workspaceId,
    secret: "",
    status: "active",
    createdAt: change.now,
  });
  await change.em.flush();
  const secret = mintHookSecret();
  hook.secret = change.tools.vault.seal(secret, sealedFor(hook.id));
  change.em.create(HookQueue, { hook, servedAt: change.now });
  await change.em.flush();
  return { id: hook.id, secret };
}

const living = "select id from hooks where workspace_id = ? and removed_at is null";
const ownText = `select count(*) as count from (${living} and app_id is null limit ?) as own`;
const ofAppText = `select count(*) as count from (${living} and app_id = ? and location_ids = ? limit ?) as of_app`;

/** Locks how many webhooks the workspace has until the commit. */
export function lockHookCount(change: Change): void {
  lockKeys(change, [`hooks of ${change.workspaceId}`]);
}

/**
 * Refuses a webhook beyond the limit, which must be locked. `reach`: the locations whose events it receives; a webhook made with a token has
 * that of the token.
 */
export async function refuseTooMany(change: Change, reach: readonly number[] | null, field = "event"): Promise<void> {
  const { appId } = change.grant;
  const [owner, most] = appId === null ? ["workspace", limits.hooks] : ["app", limits.appHooks];
  const [hooks] =
    appId === null
      ? await change.rows<{ count: number }>(ownText, [change.workspaceId, most])
      : await change.rows<{ count: number }>(ofAppText, [change.workspaceId, appId, JSON.stringify(reach), most]);
  if (Number(hooks!.count) >= most)
    throw new Invalid({ [field]: [`The ${owner} has ${most} webhooks, the most that it can have.`] });
}

/** What a webhook can show: all that is read, but for the audit log, which no event is about. */
const shownScopes = appScopeNames.filter((scope) => scope.endsWith(".readonly"));

/**
 * Changes events, target and status of a webhook, from now on; a disabled one that is resumed restarts at the current position. Refuses
 * `hook.not_found`; `insufficient_scope` for events that the caller's scopes do not cover, and for another target of a
 * webhook that shows more than the caller's scopes; with 422, events that the webhook's scopes do not cover.
 */
export async function updateHook(
  change: Change,
  id: number,
  { events, target_url: targetUrl, status }: HookPatch,
): Promise<HookView> {
  requireEventScopes(change, events ?? []);
  const hook = await getHook(change, id);
  if (events !== undefined && hook.ownerAppId !== null) {
    throw new Invalid({ events: ["This is the webhook of an app, which receives the events of the app alone."] });
  }
  const held = { scopes: JSON.parse(hook.scopes) as ScopeName[] };
  if (events !== undefined) {
    requireCovered(held, events ?? []);
    hook.events = events === null ? null : JSON.stringify([...new Set(events)]);
  }
  if (targetUrl !== undefined && targetUrl !== hook.targetUrl) {
    // The new target receives what the webhook's scopes show.
    for (const scope of shownScopes) if (holdsScope(held, scope)) requireScope(change, scope);
    Object.assign(hook, { targetUrl, failingSince: null });
  }
  if (status !== undefined && status !== hook.status) {
    // Its backlog may be due now.
    if (hook.status === "disabled") hook.afterPosition = await findStartPosition(change);
    Object.assign(hook, { status, failingSince: null });
  }
  await change.em.flush();
  return (await findHook(change, id))!;
}

function requireCovered(held: { readonly scopes: readonly ScopeName[] }, events: readonly EventName[]): void {
  const unseen = events.filter((event) => !holdsScope(held, origins[event].scope));
  if (unseen.length > 0)
    throw new Invalid({
      events: [
        `The webhook was registered without the scopes for ${unseen.join(", ")}. Register another one for them.`,
      ],
    });
}

/**
 * Replaces the secret of a webhook; the old one also signs for `graceMilliseconds`, so that receivers can switch over.
 * Refuses `hook.not_found`.
 */
export async function rotateHookSecret(
  change: Change,
  id: number,
  { graceMilliseconds }: { graceMilliseconds: number },
): Promise<{ id: number; secret: string; old_secret_until: string | null }> {
  const hook = await getHook(change, id);
  const secret = mintHookSecret();
  const until = graceMilliseconds > 0 ? new Date(change.now.getTime() + graceMilliseconds) : null;
  hook.oldSecret = until === null ? null : hook.secret;
  hook.oldSecretUntil = until;
  hook.secret = change.tools.vault.seal(secret, sealedFor(id));
  await change.em.flush();
  return { id, secret, old_secret_until: until?.toISOString() ?? null };
}

/** Removes a webhook and cancels its pending deliveries. Refuses `hook.not_found`. */
export async function removeHook(change: Change, id: number): Promise<void> {
  const hook = await getHook(change, id);
  Object.assign(hook, removedAt(change.now));
  await change.em.flush();
}

/** The columns of a webhook that is removed: nothing signs for it any more. */
export function removedAt(now: Date) {
  return { removedAt: now, secret: "", oldSecret: null, oldSecretUntil: null };
}

const removeOfAppText = `
  update hooks set removed_at = ?, secret = '', old_secret = null, old_secret_until = null
  where app_id = ? and location_ids = ? and removed_at is null`;

/** Removes the webhooks that an app registered with its tokens of one location. */
export async function removeHooksOfApp(change: Change, appId: number, locationId: number): Promise<void> {
  await change.rows(removeOfAppText, [change.now, appId, JSON.stringify([locationId])]);
}

const lockText = sql`select id from hooks where id = ? and workspace_id = ?${forNoKeyUpdate("hooks")}`;

/** Locks the webhook against other changes of it until the commit. */
export async function lockHook(change: Change, id: number): Promise<void> {
  await change.rows(lockText, [id, change.workspaceId]);
}

/** Locks the webhook first, as another change may remove it while this one begins. Refuses `hook.not_found`. */
async function getHook(change: Change, id: number) {
  await lockHook(change, id);
  if ((await findHook(change, id)) === undefined) throw new Refusal("hook.not_found");
  return change.em.findOneOrFail(Hook, id);
}
