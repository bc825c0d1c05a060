/** Reads channels: one of a location, all of them, where they take messages in, and the one that does so there. */
import type { Place, Reader } from "../../events/caller.ts";
import { hashSecret, isWellFormedSecret } from "../../kit/secrets/secret.ts";
import type { Rows } from "../../storage/rows.ts";
import type { ChannelKind } from "../../vocabulary/states.ts";
import type { Reference } from "../references.ts";
import { inboundUrl, openInboundToken, receiptsOf } from "./inbound-token.ts";
import { toChannel } from "./channel.view.ts";
import type { ChannelRow, ChannelView } from "./channel.view.ts";
import type { TransportName } from "./transports/transports.ts";

const columns = `channels.id, channels.kind, channels.name, channels.address, channels.inbound_address,
  channels.outbound_address, channels.transport, channels.status, channels.created_at`;

const oneText = `select ${columns} from channels where id = ? and location_id = ?`;
const listText = `select ${columns} from channels where location_id = ? order by kind, id`;

export async function findChannel(reader: Reader<Place>, id: number): Promise<ChannelRow | undefined> {
  const [channel] = await reader.rows<ChannelRow>(oneText, [id, reader.location.id]);
  return channel;
}

/** For bodies that name a channel. */
export const channelOfLocation: Reference<ChannelRow> = {
  find: findChannel,
  predicate: "must name a channel of the location.",
};

/** The channel that a token stands for, and where it is: whoever has the token speaks for the channel. */
export interface InboundChannel {
  readonly id: number;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly workspace_id: number;
  readonly place: Place;
}

const byTokenText = `select channels.id, channels.kind, channels.name, locations.workspace_id, locations.id as location_id,
    locations.country, locations.timezone
  from channels join locations on locations.id = channels.location_id where channels.inbound_hash = ?`;

type TokenRow = Omit<InboundChannel, "place"> & Omit<Place, "id"> & { readonly location_id: number };

/** Without a look-up for a token that is malformed. */
export async function findChannelByToken({ rows }: Rows, token: string): Promise<InboundChannel | undefined> {
  if (!isWellFormedSecret("crm_in_", token)) return undefined;
  const [found] = await rows<TokenRow>(byTokenText, [hashSecret(token)]);
  if (found === undefined) return undefined;
  const { location_id: id, country, timezone, ...channel } = found;
  return { ...channel, place: { id, country, timezone } };
}

/** Every channel of the location, by kind, then id; there are `limits.channels` at the most. */
export async function listChannels(reader: Reader<Place>): Promise<ChannelView[]> {
  const rows = await reader.rows<ChannelRow>(listText, [reader.location.id]);
  return rows.map(toChannel);
}

const terminalText = `select ${columns}, transport_url, inbound_hash, inbound_token from channels where location_id = ? order by kind, id`;

interface TerminalRow extends ChannelRow {
  readonly transport_url: string | null;
  readonly inbound_hash: string;
  readonly inbound_token: string;
}

/** A channel as the operator sees it. */
interface OperatorChannelView extends ChannelView {
  readonly transport: TransportName;
  readonly transport_url: string | null;
}

/** The same with the secret addresses at which it is called. */
interface OpenChannelView extends OperatorChannelView {
  readonly inbound_url: string;
  readonly receipts_url?: string;
}

/** Every channel of the location with how its messages go out, and its secret addresses where they are asked for: for the terminal alone. */
export async function listChannelsForOperator(
  reader: Reader<Place>,
  { withUrls }: { readonly withUrls: boolean },
): Promise<(OperatorChannelView | OpenChannelView)[]> {
  const rows = await reader.rows<TerminalRow>(terminalText, [reader.location.id]);
  return rows.map((row) => {
    const { transport, transport_url, inbound_hash: inboundHash, inbound_token: inboundToken } = row;
    const channel = { ...toChannel(row), transport, transport_url };
    if (!withUrls) return channel;
    const token = openInboundToken(reader.tools, { inboundHash, inboundToken });
    const urls = { inbound_url: inboundUrl(reader.tools, token), ...receiptsOf(reader.tools, transport, token) };
    return { ...channel, ...urls };
  });
}
