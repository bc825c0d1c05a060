/** The endpoints of webhooks. */
import { byId, endpoint, reply } from "../../http/endpoint.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { judgeTarget } from "./hook-target.ts";
import { findHook, listHooks } from "./hook.queries.ts";
import { hookInput } from "./hook.schema.ts";
import { registerHook, removeHook, requireEventScopes } from "./hook.service.ts";
import { hookListView, hookRegistrationView } from "./hook.view.ts";

export const hookRoutes = [
  endpoint({
    method: "GET",
    path: "/hooks",
    operationId: "listHooks",
    summary: "Lists the webhooks that this credential may see, oldest first.",
    tag: "Webhooks",
    within: "workspace",
    scope: "webhooks.readonly",
    query: pageQuery,
    replies: { 200: hookListView },
    read: async (reader, { query }) => reply(200, await listHooks(reader, query)),
  }),
  endpoint({
    method: "POST",
    path: "/hooks",
    operationId: "registerHook",
    summary: "Registers a webhook for an event, as far as this credential reaches.",
    tag: "Webhooks",
    within: "workspace",
    scope: "webhooks.write",
    input: hookInput,
    replies: { 201: hookRegistrationView },
    // The secret is shown this once, and nowhere kept in clear.
    keepsAnswer: false,
    async before(reader, { input }, { targets }) {
      requireEventScopes(reader, [input.event]);
      await judgeTarget(targets, input.target_url);
    },
    async change(change, { input }) {
      const hook = await registerHook(change, { events: [input.event], targetUrl: input.target_url });
      return reply(201, { id: hook.id, event: input.event, target_url: hook.target_url, secret: hook.secret });
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/hooks/{id}",
    operationId: "removeHook",
    summary: "Removes a webhook; what waits for it is canceled.",
    tag: "Webhooks",
    within: "workspace",
    scope: "webhooks.write",
    find: { hook: byId("id", findHook) },
    replies: { 204: null },
    async change(change, { hook }) {
      await removeHook(change, hook.id);
      return reply(204, null);
    },
  }),
];
