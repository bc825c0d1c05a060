/** The endpoint of channels (specification, "Channels"). The terminal makes and changes them. */
import { endpoint, reply } from "../../http/endpoint.ts";
import { listChannels } from "./channel.queries.ts";
import { channelListView } from "./channel.view.ts";

export const channelRoutes = [
  endpoint({
    method: "GET",
    path: "/channels",
    operationId: "listChannels",
    summary: "Lists the channels of the location, by kind, then id.",
    tag: "Channels",
    scope: "channels.readonly",
    replies: { 200: channelListView },
    read: async (reader) => reply(200, { data: await listChannels(reader) }),
  }),
];
