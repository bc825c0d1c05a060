/** The operations of installs: where apps work. */
import { z } from "zod";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { findApp } from "../apps/app.queries.ts";
import * as queries from "./install.queries.ts";
import * as service from "./install.service.ts";
import { installView } from "./install.view.ts";

/** People alone: no key and no app decides which apps work where. */
const may = { scope: "none", role: "manager" } as const;

export const listInstalls = operation({
  name: "listInstalls",
  summary: "Lists where an app of the workspace was installed, ended installs included, oldest first.",
  noun: "Installs",
  within: "workspace",
  may,
  find: { app: findApp },
  gives: z.array(installView),
  read: (reader, { app }) => queries.listInstalls(reader, app.id),
});

export const uninstallApp = operation({
  name: "uninstallApp",
  summary: "Uninstalls an app from a location; every token that it has there ends.",
  noun: "Installs",
  within: "workspace",
  may,
  find: { install: lockedByChange(queries.findInstall) },
  gives: installView,
  change: (change, { install }) => service.uninstallApp(change, install.id),
});
