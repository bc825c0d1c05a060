/** The operations of channels (specification, "Channels"). The terminal makes and changes them. */
import { operation } from "../../operation/operation.ts";
import * as queries from "./channel.queries.ts";
import { channelListView } from "./channel.view.ts";

export const listChannels = operation({
  name: "listChannels",
  summary: "Lists the channels of the location, by kind, then id.",
  noun: "Channels",
  may: { scope: "channels.readonly", role: "member" },
  gives: channelListView,
  read: async (reader) => ({ data: await queries.listChannels(reader) }),
});
