/** Changes channels: opens them, moves their addresses, pauses them, and gives them new inbound URLs. No event tells of it. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { readSmtpServer } from "../../mail/smtp-server.ts";
import { lockKeys } from "../../storage/locks.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import type { ChannelStatus } from "../../vocabulary/states.ts";
import { Channel } from "./channel.entity.ts";
import { findChannel } from "./channel.queries.ts";
import type { ChannelInput, ChannelPatch } from "./channel.schema.ts";
import { toChannel } from "./channel.view.ts";
import type { ChangedChannelView, ChannelView, NewChannelView, OpenChannelView } from "./channel.view.ts";
import { refuseFaults } from "./channel.rules.ts";
import { inboundUrl, mintInboundToken, receiptsOf } from "./inbound-token.ts";
import { mintTransportSecret, openTransportSecret, sealTransportSecret } from "./transports/transport-secret.ts";
import { transports } from "./transports/transports.ts";
import type { TransportName } from "./transports/transports.ts";

/**
 * Opens a channel in the location. Refuses, on its field, what does not fit its kind or its transport, and one channel too many. Where a
 * gateway is, is judged already.
 */
export async function createChannel(change: Change<LocationContext>, input: ChannelInput): Promise<NewChannelView> {
  const { name, kind, address = "", inbound_address = null, outbound_address = null } = input;
  lockKeys(change, [`channels of ${change.location.id}`]);
  await refuseTooMany(change);
  const addresses = { address, inboundAddress: inbound_address, outboundAddress: outbound_address };
  const { transport, url, secret, minted } = settleTransport({ transport: "log", url: null, secret: null }, input);
  refuseFaults({ kind, ...addresses, transport, url, secret });
  const { token, stored } = mintInboundToken(change.tools);
  const channel = change.em.create(Channel, {
    location: change.location.id,
    kind,
    name,
    ...addresses,
    transport,
    transportUrl: url,
    status: "active",
    ...stored,
    createdAt: change.now,
  });
  await change.em.flush();
  if (secret !== null) {
    channel.transportSecret = sealTransportSecret(change.tools, channel.id, secret);
    await change.em.flush();
  }
  const urls = { inbound_url: inboundUrl(change.tools, token), ...receiptsOf(change.tools, transport, token) };
  return { ...(await getChannelView(change, channel.id)), ...urls, ...minted };
}

/** Changes the given fields. Refuses `channel.not_found`, and what does not fit as createChannel does. */
export async function updateChannel(
  change: Change<LocationContext>,
  id: number,
  input: ChannelPatch,
): Promise<ChangedChannelView> {
  const channel = await getChannel(change, id);
  if (input.name !== undefined) channel.name = input.name;
  if (input.address !== undefined) channel.address = input.address;
  if (input.inbound_address !== undefined) channel.inboundAddress = input.inbound_address;
  if (input.outbound_address !== undefined) channel.outboundAddress = input.outbound_address;
  const kept = channel.transportSecret ?? null;
  const before = {
    transport: channel.transport as TransportName,
    url: channel.transportUrl ?? null,
    secret: kept === null ? null : openTransportSecret(change.tools, id, kept),
  };
  const { transport, url, secret, minted } = settleTransport(before, input);
  refuseFaults({ ...channel, transport, url, secret });
  Object.assign(channel, { transport, transportUrl: url });
  if (secret !== before.secret)
    channel.transportSecret = secret === null ? null : sealTransportSecret(change.tools, id, secret);
  await change.em.flush();
  return { ...(await getChannelView(change, id)), ...minted };
}

/** Pauses a channel, which then sends nothing and still takes in what comes, or lets it go on. Refuses `channel.not_found`. */
export async function setChannelStatus(
  change: Change<LocationContext>,
  id: number,
  status: ChannelStatus,
): Promise<ChannelView> {
  const channel = await getChannel(change, id);
  Object.assign(channel, { status, error: null });
  await change.em.flush();
  return getChannelView(change, id);
}

/** Gives a channel a new inbound URL; the old one is dead with the commit. Refuses `channel.not_found`. */
export async function rotateInboundUrl(change: Change<LocationContext>, id: number): Promise<OpenChannelView> {
  const channel = await getChannel(change, id);
  const { token, stored } = mintInboundToken(change.tools);
  Object.assign(channel, stored);
  await change.em.flush();
  return {
    ...(await getChannelView(change, id)),
    inbound_url: inboundUrl(change.tools, token),
    ...receiptsOf(change.tools, channel.transport as TransportName, token),
  };
}

interface TransportState {
  readonly transport: TransportName;
  readonly url: string | null;
  /** Opened. */
  readonly secret: string | null;
}

/** What the input makes of a transport: another one begins anew, a password goes with its user, and what signs is made where nobody gives it. */
function settleTransport(
  before: TransportState,
  input: ChannelPatch,
): TransportState & { minted?: { readonly transport_secret: string } } {
  const { transport = before.transport } = input;
  const rest = transport === before.transport ? before : { url: null, secret: null };
  const url = input.transport_url === undefined ? rest.url : input.transport_url;
  const kept = transports[transport].secret === "password" && isWithoutUser(url) ? null : rest.secret;
  const secret = input.transport_secret === undefined ? kept : input.transport_secret;
  if (transports[transport].secret !== "signing" || secret !== null) return { transport, url, secret };
  const minted = mintTransportSecret();
  return { transport, url, secret: minted, minted: { transport_secret: minted } };
}

function isWithoutUser(url: string | null): boolean {
  const server = url === null ? null : readSmtpServer(url);
  return server !== null && typeof server !== "string" && server.user === null;
}

async function getChannel(change: Change<LocationContext>, id: number) {
  const channel = await change.em.findOne(Channel, { id, location: change.location.id });
  if (channel === null) throw new Refusal("channel.not_found");
  return channel;
}

async function getChannelView(change: Change<LocationContext>, id: number): Promise<ChannelView> {
  return toChannel((await findChannel(change, id))!);
}

async function refuseTooMany(change: Change<LocationContext>): Promise<void> {
  const [channels] = await change.rows<{ count: number }>(
    "select count(*) as count from channels where location_id = ?",
    [change.location.id],
  );
  if (Number(channels!.count) >= limits.channels) {
    throw new Invalid({ name: [`The location has ${limits.channels} channels, the most that it can have.`] });
  }
}
