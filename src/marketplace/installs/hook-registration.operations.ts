/** The operation that registers webhooks. It is in this folder because an app may register them only while it is installed. */
import { operation } from "../../operation/operation.ts";
import { judgeHookTarget } from "../../webhooks/hooks/hook-target.ts";
import { hookInput } from "../../webhooks/hooks/hook.schema.ts";
import * as service from "../../webhooks/hooks/hook.service.ts";
import { hookRegistrationView } from "../../webhooks/hooks/hook.view.ts";
import { requireInstalled } from "./install.service.ts";

export const registerHook = operation({
  name: "registerHook",
  summary: "Registers a webhook for an event, within the access of this credential.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.write", role: "manager" },
  input: hookInput,
  gives: hookRegistrationView,
  // The secret is shown only once and never stored in clear.
  givesSecret: true,
  audit: ({ id }) => ({ noun: "hook", id }),
  async before(reader, { input }, { targets }) {
    service.requireEventScopes(reader, [input.event]);
    await judgeHookTarget(targets, input.target_url);
  },
  async change(change, { input }) {
    await requireInstalled(change);
    const hook = await service.registerHook(change, { events: [input.event], targetUrl: input.target_url });
    return { id: hook.id, event: input.event, target_url: hook.target_url, secret: hook.secret };
  },
});
