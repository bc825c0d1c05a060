/** The operations of deliveries. */
import { z } from "zod";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { findHook } from "../hooks/hook.queries.ts";
import * as queries from "./delivery.queries.ts";
import * as summaries from "./delivery-summary.queries.ts";
import { deliveryCountsView, deliverySummaryListView, deliverySummaryQuery } from "./delivery-summary.view.ts";
import * as service from "./delivery.service.ts";
import { replayFailedInput } from "./delivery.schema.ts";
import { deliveryListView, deliveryView, replayedView } from "./delivery.view.ts";

export const listDeliveries = operation({
  name: "listDeliveries",
  summary: "Lists the deliveries of a webhook with their attempts, newest first.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.readonly", role: "manager" },
  find: { hook: findHook },
  query: pageQuery.extend({
    state: z.enum(["failed"]).optional().describe("Only failed deliveries."),
  }),
  gives: deliveryListView,
  read: async (reader, { hook, query }) => await queries.listDeliveries(reader, hook.id, query),
});

export const browseDeliveries = operation({
  name: "browseDeliveries",
  summary: "Lists the deliveries of a webhook with their last attempt, by state.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.readonly", role: "manager" },
  find: { hook: findHook },
  query: deliverySummaryQuery,
  gives: deliverySummaryListView,
  read: async (reader, { hook, query }) => await summaries.listDeliverySummaries(reader, hook.id, query),
});

export const countDeliveries = operation({
  name: "countDeliveries",
  summary: "Counts the waiting and the failed deliveries of a webhook, and those of each hour of the last day.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.readonly", role: "manager" },
  find: { hook: findHook },
  gives: deliveryCountsView,
  read: async (reader, { hook }) => await summaries.countDeliveries(reader, hook.id),
});

export const replayDelivery = operation({
  name: "replayDelivery",
  summary: "Redelivers a delivery under the same ID, with five new attempts.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.write", role: "manager" },
  find: { delivery: queries.findDelivery },
  gives: deliveryView,
  change: async (change, { delivery }) => await service.replayDelivery(change, delivery.id),
});

export const sendTest = operation({
  name: "sendTest",
  summary: "Queues a ping, which is signed, delivered and logged like any event.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.write", role: "manager" },
  find: { hook: lockedByChange(findHook) },
  gives: deliveryView,
  change: (change, { hook }) => service.sendTest(change, hook.id),
});

export const replayFailed = operation({
  name: "replayFailed",
  summary: "Redelivers all failed deliveries of a webhook since a time.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.write", role: "manager" },
  find: { hook: lockedByChange(findHook) },
  input: replayFailedInput,
  gives: replayedView,
  async steps(caller, { hook, input }, { progress }) {
    const replayed = await service.replayFailed(caller, hook.id, input.since, progress);
    return { hook_id: hook.id, replayed };
  },
});
