/** The operations of apps. */
import { pageOf, shortPageQuery } from "../../kit/page-shapes.ts";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { judgeAppWebhook } from "./app-webhook.ts";
import * as queries from "./app.queries.ts";
import { appInput } from "./app.schema.ts";
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
  query: shortPageQuery,
  gives: pageOf(appView),
  read: async (reader, { query }) => await queries.listApps(reader, query),
});

export const showApp = operation({
  name: "showApp",
  summary: "Returns an app that the workspace owns.",
  noun: "Apps",
  within: "workspace",
  may,
  find: { app: queries.findApp },
  gives: appView,
  read: async (_reader, { app }) => app,
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
  before: (_reader, { input }, { targets }) => judgeAppWebhook(targets, input),
  change: (change, { input }) => service.createApp(change, input),
});

export const publishApp = operation({
  name: "publishApp",
  summary: "Publishes an app: every workspace can then install it.",
  noun: "Apps",
  within: "workspace",
  may,
  find: { app: lockedByChange(queries.findApp) },
  gives: appView,
  audit: "found",
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
  audit: "found",
  change: (change, { app }) => service.rotateAppSecret(change, app.id),
});
