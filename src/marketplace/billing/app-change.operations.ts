/** The operation that changes an app, which keeps platform billing while a customer pays for it. */
import { lockedByChange, operation } from "../../operation/operation.ts";
import { judgeAppWebhook } from "../apps/app-webhook.ts";
import { findApp } from "../apps/app.queries.ts";
import { appChange } from "../apps/app.schema.ts";
import { lockApp, updateApp as update } from "../apps/app.service.ts";
import { changedAppView } from "../apps/app.view.ts";
import { requireUnsold } from "./platform/sold-app.ts";

export const updateApp = operation({
  name: "updateApp",
  summary: "Changes the name, the redirect URIs, the scopes, the webhook or the billing of an app.",
  noun: "Apps",
  within: "workspace",
  /** Only for people: API keys and apps cannot manage apps. */
  may: { scope: "none", role: "manager" },
  find: { app: lockedByChange(findApp) },
  input: appChange,
  gives: changedAppView,
  givesSecret: true,
  audit: "found",
  before: (_reader, { input }, { targets }) => judgeAppWebhook(targets, input),
  async change(change, { app: { id }, input }) {
    const { billing, installType } = await lockApp(change, id);
    const isOther = input.billing !== undefined && input.billing !== "platform";
    // Another payer would pay beside those who pay already.
    const isForOthers = billing === "platform" && (input.install_type ?? installType) !== installType;
    if (isOther || isForOthers) await requireUnsold(change, id, change.now);
    return update(change, id, input);
  },
});
