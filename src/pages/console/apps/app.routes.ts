/** Apps: those that the workspace makes, and those that are installed in its locations. */
import { randomUUID } from "node:crypto";
import type { Route } from "../../../http/route.ts";
import { createApp, listApps, publishApp, rotateAppSecret, showApp } from "../../../marketplace/apps/app.operations.ts";
import type { NewAppView } from "../../../marketplace/apps/app.view.ts";
import { updateApp } from "../../../marketplace/billing/app-change.operations.ts";
import { connectApp } from "../../../marketplace/billing/platform/account.operations.ts";
import { getInstall, listInstalledApps, uninstallApp } from "../../../marketplace/installs/install.operations.ts";
import { carryOut } from "../../../operation/carry-out.ts";
import { describeRefusal, Refusal } from "../../../vocabulary/errors.ts";
import type { RefusalCode } from "../../../vocabulary/errors.ts";
import type { AsPerson } from "../../as-person.ts";
import { pageAnswer } from "../../page-answer.ts";
import { workRoutes } from "../../work.route.ts";
import { submit, submitOnce } from "../forms.ts";
import { answerResult, answerWithNotice } from "../answer-form.ts";
import { answerSecret } from "../answer-secret.ts";
import type { SecretKind } from "../answer-secret.ts";
import { confirmedAction } from "../confirmed-action.ts";
import type { ConsoleDeps } from "../console-deps.ts";
import { pathId } from "../path-id.ts";
import {
  appAccountPage,
  appSecretPage,
  appWebhookSecretPage,
  publishAppPage,
  rotateAppSecretPage,
  uninstallAppPage,
} from "./app-actions.page.ts";
import { appPage, newAppPage } from "./app-form.page.ts";
import { appFormOf, emptyAppForm, readAppForm, toAppFaults, toAppInput } from "./app.form.ts";
import { appListPage, installedListPage } from "./app-list.page.ts";

/** Apps and installs per page. */
const limit = 25;

/** Refusals of a state that the person can change: shown as a sentence on the page. */
const explained: ReadonlySet<RefusalCode> = new Set([
  "billing_locked",
  "platform_billing_unavailable",
  "platform_account_incomplete",
  "processor_unavailable",
] as const);

export function appRoutes(deps: ConsoleDeps): Route[] {
  const { operating } = deps;
  const routes = workRoutes(deps).inWorkspace;
  const { shown, sent } = routes;
  const find = (here: AsPerson, request: Parameters<typeof pathId>[0]) =>
    carryOut(showApp, here.caller, { app: pathId(request, "app") }, operating);
  const findInstall = (here: AsPerson, request: Parameters<typeof pathId>[0]) =>
    carryOut(getInstall, here.caller, { install: pathId(request, "install") }, operating);
  const secret: SecretKind<NewAppView> = {
    at: "/apps",
    list: "Apps",
    lost: "The client secret was shown once, and is not shown again. If you did not copy it, rotate it.",
    page: appSecretPage,
  };
  const refused = (here: AsPerson, app: number, sentence: string) =>
    answerWithNotice(deps, here, `/apps/${app}`, { kind: "danger", title: ["Nothing was changed"], text: [sentence] });

  return [
    shown({
      path: "/apps",
      summary: "The apps that a workspace makes.",
      may: listApps,
      async show(here, { query }) {
        const cursor = query.get("cursor");
        const apps = await carryOut(listApps, here.caller, { query: { cursor, limit } }, operating);
        return appListPage(here, { apps: apps.data, isContinued: Boolean(cursor), nextCursor: apps.next_cursor });
      },
    }),
    shown({
      path: "/apps/installed",
      summary: "The apps that are installed in the locations of a workspace.",
      may: listInstalledApps,
      async show(here, { query }) {
        const cursor = query.get("cursor");
        const installs = await carryOut(listInstalledApps, here.caller, { query: { cursor, limit } }, operating);
        const { data, next_cursor: nextCursor } = installs;
        return installedListPage(here, { installs: data, isContinued: Boolean(cursor), nextCursor });
      },
    }),
    shown({
      path: "/apps/new",
      summary: "The form of a new app.",
      may: createApp,
      show: async (here) => newAppPage(here, { typed: emptyAppForm(randomUUID()) }),
    }),
    sent({
      path: "/apps/new",
      summary: "Creates an app and shows its client secret once.",
      may: createApp,
      async take(here, _request, fields) {
        const typed = readAppForm(fields);
        const result = await submitOnce(createApp, here.caller, { input: toAppInput(typed) }, operating, typed.once);
        return answerSecret(here, secret, result, (faults) =>
          pageAnswer(422, newAppPage(here, { typed, faults: toAppFaults(faults) })),
        );
      },
    }),
    shown({
      path: "/apps/{app}",
      summary: "An app, with the form that changes it.",
      may: showApp,
      async show(here, request) {
        const app = await find(here, request);
        return appPage(here, { app, typed: appFormOf(app) });
      },
    }),
    sent({
      path: "/apps/{app}",
      summary: "Changes an app.",
      may: updateApp,
      async take(here, request, fields) {
        const app = await find(here, request);
        const typed = readAppForm(fields);
        const result = await explain(() =>
          submit(updateApp, here.caller, { app: app.id, input: toAppInput(typed) }, operating),
        );
        const faults = "sentence" in result ? { billing: result.sentence } : "faults" in result ? result.faults : null;
        if (faults !== null) return pageAnswer(422, appPage(here, { app, typed, faults: toAppFaults(faults) }));
        const secret = "body" in result ? result.body.webhook_secret : undefined;
        if (secret !== undefined)
          return pageAnswer(200, appWebhookSecretPage(here, { app, secret }), { showsSecret: true });
        return answerWithNotice(deps, here, `/apps/${app.id}`, {
          kind: "ok",
          title: [{ name: app.name }, " is saved"],
          text: [],
        });
      },
    }),
    ...confirmedAction(routes, {
      path: "/apps/{app}/publish",
      summary: "Publishes an app.",
      may: publishApp,
      find,
      ask: publishAppPage,
      async take(here, { id }) {
        const result = await explain(() => submit(publishApp, here.caller, { app: id }, operating));
        if ("sentence" in result) return refused(here, id, result.sentence);
        return answerWithNotice(deps, here, `/apps/${id}`, {
          kind: "ok",
          title: ["Published"],
          text: ["Every workspace can install it."],
        });
      },
    }),
    ...confirmedAction(routes, {
      path: "/apps/{app}/rotate",
      summary: "Rotates a client secret and shows the new one once.",
      may: rotateAppSecret,
      find,
      ask: (here, app, once) => rotateAppSecretPage(here, { app, once }),
      async take(here, { id }, fields) {
        const result = await submitOnce(rotateAppSecret, here.caller, { app: id }, operating, fields.get("once") ?? "");
        return answerSecret(here, secret, result, (faults) => answerResult(deps, here, { faults }, `/apps/${id}`));
      },
    }),
    sent({
      path: "/apps/{app}/connect",
      summary:
        "Creates the account at Stripe to which the owner of an app is paid, and shows the link that completes it.",
      may: connectApp,
      async take(here, request) {
        const app = await find(here, request);
        const result = await explain(() => submit(connectApp, here.caller, { app: app.id }, operating));
        if ("sentence" in result) return refused(here, app.id, result.sentence);
        if ("faults" in result) return refused(here, app.id, Object.values(result.faults)[0] ?? "");
        return pageAnswer(200, appAccountPage(here, { app, account: result.body }));
      },
    }),
    ...confirmedAction(routes, {
      path: "/apps/installed/{install}/uninstall",
      summary: "Uninstalls an app from a location.",
      may: uninstallApp,
      find: findInstall,
      ask: uninstallAppPage,
      async take(here, { id, app, location }) {
        await carryOut(uninstallApp, here.caller, { install: id }, operating);
        return answerWithNotice(deps, here, "/apps/installed", {
          kind: "ok",
          title: [{ name: app.name }, " is uninstalled"],
          text: ["It no longer has access to ", { name: location.name }, "."],
        });
      },
    }),
  ];
}

/** A refusal that the person can do something about becomes its sentence. */
async function explain<Result>(work: () => Promise<Result>): Promise<Result | { readonly sentence: string }> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || !explained.has(error.code)) throw error;
    return { sentence: describeRefusal(error.code).message ?? "It cannot be done now." };
  }
}
