/**
 * Creates, changes and publishes marketplace apps, and replaces their secrets. A secret is returned once, when it is
 * generated.
 */
import type { Change } from "../../events/caller.ts";
import { hashSecret, lastFour, mintSecret } from "../../kit/secrets/secret.ts";
import { requireWithinGrant } from "../../operation/grant-limits.ts";
import { forUpdate } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { setAppHook } from "../../webhooks/hooks/app-hook.service.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { changeBilling, free, requireBillable } from "./app.billing.ts";
import type { AppBilling } from "./app.billing.ts";
import { App } from "./app.entity.ts";
import { getApp } from "./app.queries.ts";
import type { AppChange, AppInput } from "./app.schema.ts";
import { toNewAppView, withWebhookSecret } from "./app.view.ts";
import type { AppView, ChangedAppView, NewAppView } from "./app.view.ts";

/**
 * Creates a draft app in the workspace of `change`. The target of its webhook must be judged. Refuses scopes beyond the caller's own grant, and incomplete
 * billing, by field.
 */
export async function createApp(
  change: Change,
  { name, redirect_uris, scopes, webhook_url: webhookUrl = null, ...billing }: AppInput,
): Promise<NewAppView> {
  requireWithinGrant(change, { scopes });
  const { secret, stored } = mint();
  const app = change.em.create(App, {
    ...stored,
    ...toColumns(changeBilling(free, billing, { isPublished: false, hasProcessor: false })),
    workspace: change.workspaceId,
    name,
    clientId: mintSecret("crm_app_"),
    redirectUris: JSON.stringify(redirect_uris),
    scopes: JSON.stringify(scopes),
    createdAt: change.now,
  });
  await change.em.flush();
  const webhook = await setAppHook(change, app.id, webhookUrl);
  return toNewAppView(await getApp(change, app.id), { client: secret, webhook });
}

/**
 * Changes the given fields; earlier consents are unaffected. Refuses `app.not_found`, scopes beyond the caller's own
 * grant, and billing changes as in `changeBilling`.
 */
export async function updateApp(
  change: Change,
  id: number,
  { name, redirect_uris, scopes, webhook_url: webhookUrl, ...billing }: AppChange,
): Promise<ChangedAppView> {
  const app = await lockApp(change, id);
  requireWithinGrant(change, { scopes });
  const before = await getApp(change, id);
  Object.assign(
    app,
    toColumns(
      changeBilling({ ...before, charges_enabled: app.chargesEnabled }, billing, {
        isPublished: before.published_at !== null,
        hasProcessor: change.tools.platformBilling !== null,
      }),
    ),
  );
  if (name !== undefined) app.name = name;
  if (redirect_uris !== undefined) app.redirectUris = JSON.stringify(redirect_uris);
  if (scopes !== undefined) app.scopes = JSON.stringify(scopes);
  await change.em.flush();
  const secret = webhookUrl === undefined ? null : await setAppHook(change, id, webhookUrl);
  return { ...(await getApp(change, id)), ...withWebhookSecret(secret) };
}

/** Publishes the app; a published app is unchanged. Refuses `app.not_found`, `platform_billing_unavailable`. */
export async function publishApp(change: Change, id: number): Promise<AppView> {
  const app = await lockApp(change, id);
  requireBillable({ billing: app.billing, charges_enabled: app.chargesEnabled }, change.tools.platformBilling !== null);
  app.publishedAt ??= change.now;
  await change.em.flush();
  return getApp(change, id);
}

/**
 * Replaces the secret; the old one ends with the commit, tokens stay valid. Refuses `app.not_found`, and an app with
 * more permissions than the caller.
 */
export async function rotateAppSecret(change: Change, id: number): Promise<NewAppView> {
  const app = await lockApp(change, id);
  requireWithinGrant(change, { scopes: JSON.parse(app.scopes) as ScopeName[] });
  const { secret, stored } = mint();
  Object.assign(app, stored);
  await change.em.flush();
  return toNewAppView(await getApp(change, id), { client: secret });
}

const lockText = sql`select id from apps where id = ? and workspace_id = ?${forUpdate("apps")}`;

/** Locked until the commit: publication and billing depend on each other. */
export async function lockApp(change: Change, id: number) {
  await change.rows(lockText, [id, change.workspaceId]);
  const app = await change.em.findOne(App, { id, workspace: change.workspaceId });
  if (app === null) throw new Refusal("app.not_found");
  return app;
}

function toColumns({ billing, install_type, payment_page_url, price_cents, trial_days }: AppBilling) {
  return {
    billing,
    installType: install_type,
    paymentPageUrl: payment_page_url,
    priceCents: price_cents,
    trialDays: trial_days,
  };
}

function mint(): { secret: string; stored: { secretHash: string; secretLastFour: string } } {
  const secret = mintSecret("crm_cs_");
  return { secret, stored: { secretHash: hashSecret(secret), secretLastFour: lastFour(secret) } };
}
