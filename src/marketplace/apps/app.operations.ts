/** The operations of apps. */
import { z } from "zod";
import { lockedByChange, operation } from "../../operation/operation.ts";
import * as queries from "./app.queries.ts";
import { appChange, appInput } from "./app.schema.ts";
import * as service from "./app.service.ts";
import { appView, newAppView } from "./app.view.ts";

/** Only for people: API keys and apps cannot manage apps. */
const may = { scope: "none", role: "manager" } as const;

export const listApps = operation({
  name: "listApps",
  summary: "Lists the apps that the workspace owns, oldest first.",
  noun: "Apps",
  within: "workspace",
  may,
  gives: z.array(appView),
  read: (reader) => queries.listApps(reader),
});

export const createApp = operation({
  name: "createApp",
  summary: "Creates an app as a draft, which only its own workspace can install.",
  noun: "Apps",
  within: "workspace",
  may,
  input: appInput,
  gives: newAppView,
  givesSecret: true,
  audit: ({ id }) => ({ noun: "app", id }),
  change: (change, { input }) => service.createApp(change, input),
});

export const updateApp = operation({
  name: "updateApp",
  summary: "Changes the name, the redirect URIs, the scopes or the billing of an app.",
  noun: "Apps",
  within: "workspace",
  may,
  find: { app: lockedByChange(queries.findApp) },
  input: appChange,
  gives: appView,
  change: (change, { app, input }) => service.updateApp(change, app.id, input),
});

export const publishApp = operation({
  name: "publishApp",
  summary: "Publishes an app: every workspace can then install it.",
  noun: "Apps",
  within: "workspace",
  may,
  find: { app: lockedByChange(queries.findApp) },
  gives: appView,
  change: (change, { app }) => service.publishApp(change, app.id),
});

export const rotateAppSecret = operation({
  name: "rotateAppSecret",
  summary: "Replaces the client secret of an app; the old one is refused immediately, tokens stay valid.",
  noun: "Apps",
  within: "workspace",
  may,
  find: { app: lockedByChange(queries.findApp) },
  gives: newAppView,
  givesSecret: true,
  change: (change, { app }) => service.rotateAppSecret(change, app.id),
});
