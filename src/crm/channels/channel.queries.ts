/** Reads channels: one of a location, all of them, and where they take messages in. */
import type { Place, Reader } from "../../events/caller.ts";
import { inboundUrl, openInboundToken } from "./inbound-token.ts";
import { toChannel } from "./channel.view.ts";
import type { ChannelRow, ChannelView } from "./channel.view.ts";

const columns = `channels.id, channels.kind, channels.name, channels.address, channels.inbound_address,
  channels.outbound_address, channels.transport, channels.status, channels.created_at`;

const oneText = `select ${columns} from channels where id = ? and location_id = ?`;
const listText = `select ${columns} from channels where location_id = ? order by kind, id`;

export async function findChannel(reader: Reader<Place>, id: number): Promise<ChannelRow | undefined> {
  const [channel] = await reader.rows<ChannelRow>(oneText, [id, reader.location.id]);
  return channel;
}

/** Every channel of the location, by kind, then id; there are `limits.channels` at the most. */
export async function listChannels(reader: Reader<Place>): Promise<ChannelView[]> {
  const rows = await reader.rows<ChannelRow>(listText, [reader.location.id]);
  return rows.map(toChannel);
}

const tokensText = "select id, inbound_hash, inbound_token from channels where location_id = ?";

/** The inbound URL of every channel of the location, by its id: for the terminal alone. */
export async function readInboundUrls(reader: Reader<Place>): Promise<Map<number, string>> {
  const rows = await reader.rows<{ id: number; inbound_hash: string; inbound_token: string }>(tokensText, [
    reader.location.id,
  ]);
  return new Map(
    rows.map(({ id, inbound_hash: inboundHash, inbound_token: inboundToken }) => {
      const token = openInboundToken(reader.tools, { inboundHash, inboundToken });
      return [id, inboundUrl(reader.tools, token)];
    }),
  );
}
