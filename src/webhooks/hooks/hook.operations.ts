/** The operations of webhooks. */
import type { Change } from "../../events/caller.ts";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { shownRecord } from "../../operation/shown-record.ts";
import { pageQuery, shortPageQuery } from "../../kit/page-shapes.ts";
import { judgeHookTarget } from "./hook-target.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import * as queries from "./hook.queries.ts";
import { hookChoice, hookPatch, secretRotation } from "./hook.schema.ts";
import { hookSummaryListView, listHookSummaries } from "./hook-summary.ts";
import * as service from "./hook.service.ts";
import { hookListView, hookView, newHookView, rotatedHookView } from "./hook.view.ts";

const hookRecord = shownRecord({
  gives: hookView,
  lock: (change: Change, { hook }: { hook: number }) => service.lockHook(change, hook),
  async read(reader, { hook: id }) {
    const hook = await queries.findHook(reader, id);
    if (hook === undefined) throw new Refusal("hook.not_found");
    return hook;
  },
});

export const listHooks = operation({
  name: "listHooks",
  summary: "Lists the webhooks that this credential may access, oldest first.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.readonly", role: "manager" },
  query: pageQuery,
  gives: hookListView,
  read: async (reader, { query }) => await queries.listHooks(reader, query),
});

export const browseHooks = operation({
  name: "browseHooks",
  summary: "Lists the webhooks with their last delivery, oldest first.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.readonly", role: "manager" },
  query: shortPageQuery,
  gives: hookSummaryListView,
  read: async (reader, { query }) => await listHookSummaries(reader, query),
});

export const getHook = operation({
  name: "getHook",
  summary: "Shows a webhook.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.readonly", role: "manager" },
  find: { hook: queries.findHook },
  record: hookRecord,
  gives: hookView,
  read: async (_reader, { hook }) => hook,
});

export const updateHook = operation({
  name: "updateHook",
  summary: "Updates the given fields of a webhook, from now on: events, target and status.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.write", role: "manager" },
  find: { hook: lockedByChange(queries.findHook) },
  input: hookPatch,
  record: hookRecord,
  gives: hookView,
  audit: "found",
  async before(reader, { input: { events, target_url: targetUrl } }, { targets }) {
    service.requireEventScopes(reader, events ?? []);
    if (targetUrl !== undefined) await judgeHookTarget(targets, targetUrl);
  },
  change: (change, { hook, input }) => service.updateHook(change, hook.id, input),
});

export const removeHook = operation({
  name: "removeHook",
  summary: "Removes a webhook and cancels its pending deliveries.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.write", role: "manager" },
  find: { hook: queries.findHook },
  record: hookRecord,
  gives: null,
  audit: "found",
  async change(change, { hook }) {
    await service.removeHook(change, hook.id);
  },
});

export const createHook = operation({
  name: "createHook",
  summary: "Registers a webhook for several events or all of them.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.write", role: "manager" },
  input: hookChoice,
  gives: newHookView,
  givesSecret: true,
  audit: ({ id }) => ({ noun: "hook", id }),
  async before(reader, { input }, { targets }) {
    service.requireEventScopes(reader, input.event ?? []);
    await judgeHookTarget(targets, input.target_url);
  },
  change: (change, { input }) => service.registerHook(change, { events: input.event, targetUrl: input.target_url }),
});

export const rotateHookSecret = operation({
  name: "rotateHookSecret",
  summary: "Replaces the secret of a webhook; the old one may also sign for a while.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.write", role: "manager" },
  find: { hook: lockedByChange(queries.findHook) },
  input: secretRotation,
  gives: rotatedHookView,
  givesSecret: true,
  audit: "found",
  change: (change, { hook, input: { grace_seconds: seconds = 0 } }) =>
    service.rotateHookSecret(change, hook.id, { graceMilliseconds: seconds * 1000 }),
});
