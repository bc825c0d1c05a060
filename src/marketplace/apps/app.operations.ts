/** The operations of the apps that a workspace makes. */
import { z } from "zod";
import { lockedByChange, operation } from "../../operation/operation.ts";
import * as queries from "./app.queries.ts";
import { appChange, appInput } from "./app.schema.ts";
import * as service from "./app.service.ts";
import { appView, newAppView } from "./app.view.ts";

/** People alone: no key and no app makes apps. */
const may = { scope: "none", role: "manager" } as const;

export const listApps = operation({
  name: "listApps",
  summary: "Lists the apps that the workspace makes, oldest first.",
  noun: "Apps",
  within: "workspace",
  may,
  gives: z.array(appView),
  read: (reader) => queries.listApps(reader),
});

export const createApp = operation({
  name: "createApp",
  summary: "Creates an app as a draft, which can be installed in its own workspace alone.",
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
  summary: "Publishes an app, so that every workspace can install it.",
  noun: "Apps",
  within: "workspace",
  may,
  find: { app: lockedByChange(queries.findApp) },
  gives: appView,
  change: (change, { app }) => service.publishApp(change, app.id),
});

export const rotateAppSecret = operation({
  name: "rotateAppSecret",
  summary: "Gives an app a new client secret; the old one stops working at once, tokens live on.",
  noun: "Apps",
  within: "workspace",
  may,
  find: { app: lockedByChange(queries.findApp) },
  gives: newAppView,
  givesSecret: true,
  change: (change, { app }) => service.rotateAppSecret(change, app.id),
});
