/** Changes channels: creates, updates and pauses them, and rotates their inbound URLs. It emits no events. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { forNoKeyUpdate, lockKeys } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import type { ChannelStatus } from "../../vocabulary/states.ts";
import { Channel } from "./channel.entity.ts";
import { getChannelView } from "./channel.queries.ts";
import type { ChannelInput, ChannelPatch } from "./channel.schema.ts";
import type { ChangedChannelView, ChannelView, NewChannelView, OpenChannelView } from "./channel.view.ts";
import { refuseFaults } from "./channel.rules.ts";
import { inboundUrl, mintInboundToken, receiptsOf } from "./inbound-token.ts";
import { setMailbox } from "./mailboxes/mailbox.service.ts";
import { mintTransportSecret, openTransportSecret, sealTransportSecret } from "./transports/transport-secret.ts";
import { channelTransports } from "./transports/all.ts";
import type { Transports } from "./transports/transports.ts";

/**
 * Creates a channel in the location. Refuses fields that do not fit its kind or its transport, and a channel beyond the limit. The caller
 * has already checked the transport's target (transport-target.ts).
 */
export async function createChannel(
  change: Change<LocationContext>,
  input: ChannelInput,
  transports = channelTransports,
): Promise<NewChannelView> {
  const { name, kind, address = "", inbound_address = null, outbound_address = null } = input;
  lockKeys(change, [`channels of ${change.location.id}`]);
  await refuseTooMany(change);
  const addresses = { address, inboundAddress: inbound_address, outboundAddress: outbound_address };
  const { transport, url, secret, minted } = settleTransport(
    { transport: "log", url: null, secret: null },
    input,
    transports,
  );
  refuseFaults({ kind, ...addresses, url, secret }, transports.of(transport));
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
  await setMailbox(change, channel, input);
  const urls = {
    inbound_url: inboundUrl(change.tools, token),
    ...receiptsOf(change.tools, transports.of(transport), token),
  };
  return { ...(await getChannelView(change, channel.id)), ...urls, ...minted };
}

const lockText = sql`select id from channels where id = ? and location_id = ?${forNoKeyUpdate("channels")}`;

/** Locks the channel against other changes of it until the commit. Refuses `channel.not_found`. */
export async function lockChannel(change: Change<LocationContext>, id: number): Promise<void> {
  const [held] = await change.rows(lockText, [id, change.location.id]);
  if (held === undefined) throw new Refusal("channel.not_found");
}

/** Changes the given fields. Refuses `channel.not_found`, and invalid fields like createChannel. */
export async function updateChannel(
  change: Change<LocationContext>,
  id: number,
  input: ChannelPatch,
  transports = channelTransports,
): Promise<ChangedChannelView> {
  const channel = await getChannel(change, id);
  if (input.name !== undefined) channel.name = input.name;
  if (input.address !== undefined) channel.address = input.address;
  if (input.inbound_address !== undefined) channel.inboundAddress = input.inbound_address;
  if (input.outbound_address !== undefined) channel.outboundAddress = input.outbound_address;
  const kept = channel.transportSecret ?? null;
  const before = {
    transport: channel.transport,
    url: channel.transportUrl ?? null,
    secret: kept === null ? null : openTransportSecret(change.tools, id, kept),
  };
  const { transport, url, secret, minted } = settleTransport(before, input, transports);
  refuseFaults({ ...channel, url, secret }, transports.of(transport));
  Object.assign(channel, { transport, transportUrl: url });
  if (secret !== before.secret)
    channel.transportSecret = secret === null ? null : sealTransportSecret(change.tools, id, secret);
  await change.em.flush();
  await setMailbox(change, channel, input);
  return { ...(await getChannelView(change, id)), ...minted };
}

/** Pauses a channel, which then sends nothing and still accepts inbound messages, or resumes it. Refuses `channel.not_found`. */
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

/** Rotates the inbound URL of a channel; the old one is invalid from the commit on. Refuses `channel.not_found`. */
export async function rotateInboundUrl(
  change: Change<LocationContext>,
  id: number,
  transports = channelTransports,
): Promise<OpenChannelView> {
  const channel = await getChannel(change, id);
  const { token, stored } = mintInboundToken(change.tools);
  Object.assign(channel, stored);
  await change.em.flush();
  return {
    ...(await getChannelView(change, id)),
    inbound_url: inboundUrl(change.tools, token),
    ...receiptsOf(change.tools, transports.of(channel.transport), token),
  };
}

interface TransportState {
  readonly transport: string;
  readonly url: string | null;
  /** Unsealed. */
  readonly secret: string | null;
}

/** Applies the input: a new transport starts without URL and secret, a password is removed with its user, and a signing secret is generated unless given. */
function settleTransport(
  before: TransportState,
  input: ChannelPatch,
  transports: Transports,
): TransportState & { minted?: { readonly transport_secret: string } } {
  const { transport = before.transport } = input;
  const rest = transport === before.transport ? before : { url: null, secret: null };
  const url = input.transport_url === undefined ? rest.url : input.transport_url;
  const chosen = transports.of(transport);
  const secretKind = chosen.accepts === "sent" ? "none" : chosen.secret;
  const kept = secretKind === "password" && isWithoutUser(url) ? null : rest.secret;
  const secret = input.transport_secret === undefined ? kept : input.transport_secret;
  if (secretKind !== "signing" || secret !== null) return { transport, url, secret };
  const minted = mintTransportSecret();
  return { transport, url, secret: minted, minted: { transport_secret: minted } };
}

function isWithoutUser(url: string | null): boolean {
  return url !== null && URL.parse(url)?.username === "";
}

/** Locks the channel, since its transport, URL and secret depend on each other. Refuses `channel.not_found`. */
async function getChannel(change: Change<LocationContext>, id: number) {
  await lockChannel(change, id);
  return change.em.findOneOrFail(Channel, id);
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
