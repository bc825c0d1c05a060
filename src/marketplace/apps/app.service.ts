/** Makes marketplace apps, changes and publishes them, and replaces their secrets: a secret is shown once, when it is made. */
import type { Change } from "../../events/caller.ts";
import { hashSecret, lastFour, mintSecret } from "../../kit/secrets/secret.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { App } from "./app.entity.ts";
import { getApp } from "./app.queries.ts";
import type { AppChange, AppInput } from "./app.schema.ts";
import { toNewAppView } from "./app.view.ts";
import type { AppView, NewAppView } from "./app.view.ts";

/** Makes an app of the workspace of `change`: a draft, which can be installed there alone. */
export async function createApp(change: Change, { name, redirect_uris, scopes }: AppInput): Promise<NewAppView> {
  const { secret, stored } = mint();
  const app = change.em.create(App, {
    ...stored,
    workspace: change.workspaceId,
    name,
    clientId: mintSecret("crm_app_"),
    redirectUris: JSON.stringify(redirect_uris),
    scopes: JSON.stringify(scopes),
    createdAt: change.now,
  });
  await change.em.flush();
  return toNewAppView(await getApp(change, app.id), secret);
}

/** Changes what is given and leaves the rest. What a consent gave before is not touched. Refuses `app.not_found`. */
export async function updateApp(
  change: Change,
  id: number,
  { name, redirect_uris, scopes }: AppChange,
): Promise<AppView> {
  const app = await holdApp(change, id);
  if (name !== undefined) app.name = name;
  if (redirect_uris !== undefined) app.redirectUris = JSON.stringify(redirect_uris);
  if (scopes !== undefined) app.scopes = JSON.stringify(scopes);
  await change.em.flush();
  return getApp(change, id);
}

/** Lets every workspace install the app; one that is published stays as it is. Refuses `app.not_found`. */
export async function publishApp(change: Change, id: number): Promise<AppView> {
  const app = await holdApp(change, id);
  app.publishedAt ??= change.now;
  await change.em.flush();
  return getApp(change, id);
}

/** Gives an app a new secret; the old one is dead with the commit, tokens live on. Refuses `app.not_found`. */
export async function rotateAppSecret(change: Change, id: number): Promise<NewAppView> {
  const app = await holdApp(change, id);
  const { secret, stored } = mint();
  Object.assign(app, stored);
  await change.em.flush();
  return toNewAppView(await getApp(change, id), secret);
}

async function holdApp(change: Change, id: number) {
  const app = await change.em.findOne(App, { id, workspace: change.workspaceId });
  if (app === null) throw new Refusal("app.not_found");
  return app;
}

function mint(): { secret: string; stored: { secretHash: string; secretLastFour: string } } {
  const secret = mintSecret("crm_secret_");
  return { secret, stored: { secretHash: hashSecret(secret), secretLastFour: lastFour(secret) } };
}
