/** The endpoints of deliveries. */
import { z } from "zod";
import { byId, endpoint, reply } from "../../http/endpoint.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { findHook } from "../hooks/hook.queries.ts";
import { findDelivery, listDeliveries } from "./delivery.queries.ts";
import { replayDelivery } from "./delivery.service.ts";
import { deliveryListView, deliveryView } from "./delivery.view.ts";

export const deliveryRoutes = [
  endpoint({
    method: "GET",
    path: "/hooks/{id}/deliveries",
    operationId: "listDeliveries",
    summary: "Lists the deliveries of a webhook with their attempts, newest first.",
    tag: "Webhooks",
    within: "workspace",
    scope: "webhooks.readonly",
    find: { hook: byId("id", findHook) },
    query: pageQuery.extend({
      state: z.enum(["failed"]).optional().describe("Only those that were given up."),
    }),
    replies: { 200: deliveryListView },
    read: async (reader, { hook, query }) => reply(200, await listDeliveries(reader, hook.id, query)),
  }),
  endpoint({
    method: "POST",
    path: "/hooks/deliveries/{id}/replay",
    operationId: "replayDelivery",
    summary: "Sends a delivery again, under the same id, with five attempts anew.",
    tag: "Webhooks",
    within: "workspace",
    scope: "webhooks.write",
    find: { delivery: byId("id", findDelivery) },
    replies: { 202: deliveryView },
    change: async (change, { delivery }) => reply(202, await replayDelivery(change, delivery.id)),
  }),
];
