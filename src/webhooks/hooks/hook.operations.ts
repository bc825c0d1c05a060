/** The operations of webhooks. */
import { operation } from "../../operation/operation.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { judgeTarget } from "./hook-target.ts";
import * as queries from "./hook.queries.ts";
import { hookInput } from "./hook.schema.ts";
import * as service from "./hook.service.ts";
import { hookListView, hookRegistrationView } from "./hook.view.ts";

export const listHooks = operation({
  name: "listHooks",
  summary: "Lists the webhooks that this credential may see, oldest first.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.readonly", role: "manager" },
  query: pageQuery,
  gives: hookListView,
  read: async (reader, { query }) => await queries.listHooks(reader, query),
});

export const registerHook = operation({
  name: "registerHook",
  summary: "Registers a webhook for an event, as far as this credential reaches.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.write", role: "manager" },
  input: hookInput,
  gives: hookRegistrationView,
  // The secret is shown this once, and nowhere kept in clear.
  givesSecret: true,
  async before(reader, { input }, { targets }) {
    service.requireEventScopes(reader, [input.event]);
    await judgeTarget(targets, input.target_url);
  },
  async change(change, { input }) {
    const hook = await service.registerHook(change, { events: [input.event], targetUrl: input.target_url });
    return { id: hook.id, event: input.event, target_url: hook.target_url, secret: hook.secret };
  },
});

export const removeHook = operation({
  name: "removeHook",
  summary: "Removes a webhook; what waits for it is canceled.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.write", role: "manager" },
  find: { hook: queries.findHook },
  gives: null,
  async change(change, { hook }) {
    await service.removeHook(change, hook.id);
  },
});
