/** Reads channels: one, all of a location, their inbound URLs, and the channel of an inbound token. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { charactersOf } from "../../kit/page.ts";
import { awaitRenderTurn } from "../../kit/waiting/fair-lock.ts";
import { hashSecret, isWellFormedSecret } from "../../kit/secrets/secret.ts";
import type { Rows } from "../../storage/rows.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import type { ChannelKind, ChannelStatus } from "../../vocabulary/states.ts";
import type { Reference } from "../references.ts";
import { inboundUrl, openInboundToken, receiptsOf } from "./inbound-token.ts";
import { toChannel } from "./channel.view.ts";
import type { ChannelSettingsQuery } from "./channel.schema.ts";
import type { ChannelRow, ChannelSettingsView, ChannelView } from "./channel.view.ts";
import { channelTransports } from "./transports/all.ts";

const columns = `channels.id, channels.kind, channels.name, channels.address, channels.inbound_address,
  channels.outbound_address, channels.transport, channels.status, channels.created_at`;

const oneText = `select ${columns} from channels where id = ? and location_id = ?`;
const listText = `select ${columns} from channels where location_id = ? order by kind, id`;

export async function findChannel(reader: Reader<LocationContext>, id: number): Promise<ChannelRow | undefined> {
  const [channel] = await reader.rows<ChannelRow>(oneText, [id, reader.location.id]);
  return channel;
}

/** The same as it is shown. Refuses `channel.not_found`. */
export async function getChannelView(reader: Reader<LocationContext>, id: number): Promise<ChannelView> {
  const channel = await findChannel(reader, id);
  if (channel === undefined) throw new Refusal("channel.not_found");
  return toChannel(channel);
}

/** For request bodies that name a channel. */
export const channelOfLocation: Reference<ChannelRow> = {
  find: findChannel,
  predicate: "must name a channel of the location.",
};

/** The channel of an inbound token, with its location. The token authenticates requests for the channel. */
export interface InboundChannel {
  readonly id: number;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly status: ChannelStatus;
  readonly transport: string;
  readonly address: string;
  readonly outbound_address: string | null;
  readonly workspace_id: number;
  readonly place: LocationContext;
}

const withPlaceText = `select channels.id, channels.kind, channels.name, channels.status, channels.transport, channels.address,
    channels.outbound_address, locations.workspace_id, locations.id as location_id,
    locations.country, locations.timezone
  from channels join locations on locations.id = channels.location_id`;
const byTokenText = `${withPlaceText} where channels.inbound_hash = ?`;
const byIdText = `${withPlaceText} where channels.id = ?`;

type InboundTokenRow = Omit<InboundChannel, "place"> & Omit<LocationContext, "id"> & { readonly location_id: number };

/** A malformed token is rejected without a query. */
export async function findChannelByToken({ rows }: Rows, token: string): Promise<InboundChannel | undefined> {
  if (!isWellFormedSecret("crm_in_", token)) return undefined;
  const [found] = await rows<InboundTokenRow>(byTokenText, [hashSecret(token)]);
  return found && toInboundChannel(found);
}

/** A channel with its location, for duties of the worker. */
export async function findChannelWithPlace({ rows }: Rows, id: number): Promise<InboundChannel | undefined> {
  const [found] = await rows<InboundTokenRow>(byIdText, [id]);
  return found && toInboundChannel(found);
}

function toInboundChannel({ location_id: id, country, timezone, ...channel }: InboundTokenRow): InboundChannel {
  return { ...channel, place: { id, country, timezone } };
}

/** Every channel of the location, by kind, then id; at most `limits.channels`. */
export async function listChannels(reader: Reader<LocationContext>): Promise<ChannelView[]> {
  const rows = await reader.rows<ChannelRow>(listText, [reader.location.id]);
  await awaitRenderTurn(charactersOf(rows));
  return rows.map(toChannel);
}

const settingsText = `select ${columns}, channels.transport_url, channels.error, channels.inbound_hash, channels.inbound_token,
    mailboxes.url as imap_url, mailboxes.move_to as imap_move_to
  from channels left join mailboxes on mailboxes.channel_id = channels.id`;
const settingsListText = `${settingsText} where channels.location_id = ? order by channels.kind, channels.id`;
const settingsOneText = `${settingsText} where channels.id = ? and channels.location_id = ?`;

interface SettingsRow extends ChannelRow {
  readonly transport_url: string | null;
  readonly error: string | null;
  readonly imap_url: string | null;
  readonly imap_move_to: string | null;
  readonly inbound_hash: string;
  readonly inbound_token: string;
}

/** Every channel of the location with its transport, and its secret URLs if asked for. */
export async function listChannelSettings(
  reader: Reader<LocationContext>,
  { urls: withUrls = false }: ChannelSettingsQuery,
): Promise<ChannelSettingsView[]> {
  const rows = await reader.rows<SettingsRow>(settingsListText, [reader.location.id]);
  return rows.map((row) => (withUrls ? { ...toSettings(row), ...urlsOf(reader, row) } : toSettings(row)));
}

/** One channel with its transport, without its secret URLs. */
export async function findChannelSettings(
  reader: Reader<LocationContext>,
  id: number,
): Promise<ChannelSettingsView | undefined> {
  const [row] = await reader.rows<SettingsRow>(settingsOneText, [id, reader.location.id]);
  return row && toSettings(row);
}

function toSettings(row: SettingsRow): ChannelSettingsView {
  const { transport, transport_url, imap_url, imap_move_to, error } = row;
  return { ...toChannel(row), transport, transport_url, imap_url, imap_move_to, error };
}

function urlsOf({ tools }: Reader, { transport, inbound_hash: inboundHash, inbound_token: inboundToken }: SettingsRow) {
  const token = openInboundToken(tools, { inboundHash, inboundToken });
  return { inbound_url: inboundUrl(tools, token), ...receiptsOf(tools, channelTransports.of(transport), token) };
}
