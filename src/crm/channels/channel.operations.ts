/** The operations of channels (specification, "Channels"). */
import { z } from "zod";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { shownRecord } from "../../operation/shown-record.ts";
import * as queries from "./channel.queries.ts";
import {
  channelInput,
  changedChannelInput,
  channelSettingsQuery,
  channelStatusInput,
  channelTestInput,
} from "./channel.schema.ts";
import * as service from "./channel.service.ts";
import {
  changedChannelView,
  channelListView,
  channelSettingsView,
  channelView,
  newChannelView,
  openChannelView,
  testedChannelView,
} from "./channel.view.ts";
import { judgeServers } from "./transports/transport-target.ts";
import * as transport from "./transports/transport-test.ts";

/** For people: with the transport, and where asked for with the secret URLs. */
const may = { scope: "none", role: "manager" } as const;
/** A scope that no app can have: the servers of a channel carry all of its messages. */
const writing = { scope: "channels.write", role: "manager" } as const;

/** A change that generates a secret shows it once: the tag of that answer names no later state. */
const channelRecord = shownRecord({
  gives: changedChannelView,
  lock: (change, { channel }: { channel: number }) => service.lockChannel(change, channel),
  read: (reader, { channel }) => queries.getChannelView(reader, channel),
});

export const listChannels = operation({
  name: "listChannels",
  summary: "Lists the channels of the location, by kind, then id.",
  noun: "Channels",
  may: { scope: "channels.readonly", role: "member" },
  gives: channelListView,
  read: async (reader) => ({ data: await queries.listChannels(reader) }),
});

export const listChannelSettings = operation({
  name: "listChannelSettings",
  summary: "Lists the channels of the location with their transports, by kind, then id.",
  noun: "Channels",
  may,
  query: channelSettingsQuery,
  gives: z.array(channelSettingsView),
  givesSecret: true,
  read: (reader, { query }) => queries.listChannelSettings(reader, query),
});

export const getChannelSettings = operation({
  name: "getChannelSettings",
  summary: "Shows a channel with its transport, and the error if it cannot deliver.",
  noun: "Channels",
  may,
  find: { channel: queries.findChannelSettings },
  gives: channelSettingsView,
  read: async (_reader, { channel }) => channel,
});

export const createChannel = operation({
  name: "createChannel",
  summary: "Creates a channel, and shows its inbound URL.",
  noun: "Channels",
  may: writing,
  input: channelInput,
  gives: newChannelView,
  givesSecret: true,
  audit: ({ id }) => ({ noun: "channel", id }),
  before: (reader, { input }, network) => judgeServers(reader, network, input),
  change: (change, { input }) => service.createChannel(change, input),
});

export const updateChannel = operation({
  name: "updateChannel",
  summary: "Changes the given fields of a channel.",
  noun: "Channels",
  may: writing,
  find: { channel: queries.findChannel },
  input: changedChannelInput,
  record: channelRecord,
  gives: changedChannelView,
  givesSecret: true,
  audit: "found",
  before: (reader, { input }, network) => judgeServers(reader, network, input),
  async change(change, { channel: { id }, input: { status, ...patch } }) {
    const changed = await service.updateChannel(change, id, patch);
    return status === undefined ? changed : { ...changed, ...(await service.setChannelStatus(change, id, status)) };
  },
});

export const setChannelStatus = operation({
  name: "setChannelStatus",
  summary: "Pauses a channel, which then sends nothing and still accepts inbound messages, or resumes it.",
  noun: "Channels",
  may: writing,
  find: { channel: lockedByChange(queries.findChannel) },
  input: channelStatusInput,
  gives: channelView,
  audit: "found",
  change: (change, { channel, input }) => service.setChannelStatus(change, channel.id, input.status),
});

export const rotateInboundUrl = operation({
  name: "rotateInboundUrl",
  summary: "Rotates the inbound URL of a channel; the old one is invalid at once.",
  noun: "Channels",
  may: writing,
  find: { channel: lockedByChange(queries.findChannel) },
  gives: openChannelView,
  givesSecret: true,
  audit: "found",
  change: (change, { channel }) => service.rotateInboundUrl(change, channel.id),
});

export const testChannel = operation({
  name: "testChannel",
  summary: "Sends a test message by the transport of a channel, at once, without retries.",
  noun: "Channels",
  may: writing,
  find: { channel: lockedByChange(queries.findChannel) },
  input: channelTestInput,
  gives: testedChannelView,
  async steps(caller, { channel, input }, { network, complete }) {
    const tested = await transport.testChannel(caller, network, { id: channel.id, to: input.to });
    // A test that failed has sent nothing.
    return tested.reason === null ? complete(async () => tested) : tested;
  },
});
