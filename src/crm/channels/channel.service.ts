/** Changes channels: opens them, moves their addresses, pauses them, and gives them new inbound URLs. No event tells of it. */
import type { Change, Place } from "../../events/caller.ts";
import { isEmailAddress } from "../../kit/input/email-address.ts";
import { lockKeys } from "../../storage/locks.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import type { FieldErrors } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import type { ChannelKind, ChannelStatus } from "../../vocabulary/states.ts";
import { Channel } from "./channel.entity.ts";
import { findChannel } from "./channel.queries.ts";
import type { ChannelInput, ChannelPatch } from "./channel.schema.ts";
import { toChannel } from "./channel.view.ts";
import type { ChannelView } from "./channel.view.ts";
import { inboundUrl, mintInboundToken } from "./inbound-token.ts";

/** A channel with the address at which it takes messages in, which whoever made it is shown. */
export interface NewChannelView extends ChannelView {
  readonly inbound_url: string;
}

/** Opens a channel in the location. Refuses, on its field, an address that does not fit its kind, and one channel too many. */
export async function createChannel(
  change: Change<Place>,
  { name, kind, address = "", inbound_address = null, outbound_address = null, transport = "log" }: ChannelInput,
): Promise<NewChannelView> {
  lockKeys(change, [`channels of ${change.location.id}`]);
  await refuseTooMany(change);
  const addresses = { address, inboundAddress: inbound_address, outboundAddress: outbound_address };
  judgeAddresses(kind, addresses);
  const { token, stored } = mintInboundToken(change.tools);
  const channel = change.em.create(Channel, {
    location: change.location.id,
    kind,
    name,
    ...addresses,
    transport,
    status: "active",
    ...stored,
    createdAt: change.now,
  });
  await change.em.flush();
  return { ...(await getChannelView(change, channel.id)), inbound_url: inboundUrl(change.tools, token) };
}

/** Changes the given fields. Refuses `channel.not_found`, and addresses as createChannel does. */
export async function updateChannel(change: Change<Place>, id: number, input: ChannelPatch): Promise<ChannelView> {
  const channel = await getChannel(change, id);
  if (input.name !== undefined) channel.name = input.name;
  if (input.transport !== undefined) channel.transport = input.transport;
  if (input.address !== undefined) channel.address = input.address;
  if (input.inbound_address !== undefined) channel.inboundAddress = input.inbound_address;
  if (input.outbound_address !== undefined) channel.outboundAddress = input.outbound_address;
  judgeAddresses(channel.kind, channel);
  await change.em.flush();
  return getChannelView(change, id);
}

/** Pauses a channel, which then sends nothing and still takes in what comes, or lets it go on. Refuses `channel.not_found`. */
export async function setChannelStatus(change: Change<Place>, id: number, status: ChannelStatus): Promise<ChannelView> {
  const channel = await getChannel(change, id);
  channel.status = status;
  await change.em.flush();
  return getChannelView(change, id);
}

/** Gives a channel a new inbound URL; the old one is dead with the commit. Refuses `channel.not_found`. */
export async function rotateInboundUrl(change: Change<Place>, id: number): Promise<NewChannelView> {
  const channel = await getChannel(change, id);
  const { token, stored } = mintInboundToken(change.tools);
  Object.assign(channel, stored);
  await change.em.flush();
  return { ...(await getChannelView(change, id)), inbound_url: inboundUrl(change.tools, token) };
}

async function getChannel(change: Change<Place>, id: number) {
  const channel = await change.em.findOne(Channel, { id, location: change.location.id });
  if (channel === null) throw new Refusal("channel.not_found");
  return channel;
}

async function getChannelView(change: Change<Place>, id: number): Promise<ChannelView> {
  return toChannel((await findChannel(change, id))!);
}

async function refuseTooMany(change: Change<Place>): Promise<void> {
  const [channels] = await change.rows<{ count: number }>(
    "select count(*) as count from channels where location_id = ?",
    [change.location.id],
  );
  if (Number(channels!.count) >= limits.channels) {
    throw new Invalid({ name: [`The location has ${limits.channels} channels, the most that it can have.`] });
  }
}

interface Addresses {
  readonly address: string;
  readonly inboundAddress?: string | null;
  readonly outboundAddress?: string | null;
}

function judgeAddresses(
  kind: ChannelKind,
  { address, inboundAddress = null, outboundAddress = null }: Addresses,
): void {
  const errors: FieldErrors = {};
  const given = {
    address: address === "" ? null : address,
    inbound_address: inboundAddress,
    outbound_address: outboundAddress,
  };
  for (const [field, value] of Object.entries(given)) {
    if (value === null) continue;
    const label = field.replaceAll("_", " ");
    if (kind !== "email" && field !== "address") errors[field] = [`The ${label} field is for email channels alone.`];
    if (kind === "email" && !isEmailAddress(value))
      errors[field] = [`The ${label} field must be a valid email address.`];
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
}
