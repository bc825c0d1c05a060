/** The operations of installs. */
import { pageOf, shortPageQuery } from "../../kit/page-shapes.ts";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { findApp } from "../apps/app.queries.ts";
import * as queries from "./install.queries.ts";
import * as service from "./install.service.ts";
import { installView } from "./install.view.ts";

/** Only for people: API keys and apps cannot manage installs. */
const may = { scope: "none", role: "manager" } as const;

export const listInstalls = operation({
  name: "listInstalls",
  summary: "Lists where an app of the workspace was installed, ended installs included, oldest first.",
  noun: "Installs",
  within: "workspace",
  may,
  find: { app: findApp },
  query: shortPageQuery,
  gives: pageOf(installView),
  read: async (reader, { app, query }) => await queries.listInstalls(reader, app.id, query),
});

export const listInstalledApps = operation({
  name: "listInstalledApps",
  summary: "Lists the current installs in the locations that the caller may access, by location.",
  noun: "Installs",
  within: "workspace",
  may,
  query: shortPageQuery,
  gives: pageOf(installView),
  read: async (reader, { query }) => await queries.listInstalledApps(reader, query),
});

export const getInstall = operation({
  name: "getInstall",
  summary: "Returns an install of an app in a location.",
  noun: "Installs",
  within: "workspace",
  may,
  find: { install: queries.findInstall },
  gives: installView,
  read: async (_reader, { install }) => install,
});

export const uninstallApp = operation({
  name: "uninstallApp",
  summary: "Uninstalls an app from a location and revokes its tokens there.",
  noun: "Installs",
  within: "workspace",
  may,
  find: { install: lockedByChange(queries.findInstall) },
  gives: installView,
  audit: "found",
  change: (change, { install }) => service.uninstallApp(change, install.id),
});
