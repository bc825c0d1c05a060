/** What comes in for a channel, which the terminal alone makes. */
import { z } from "zod";
import { emptyableText, nullableText } from "../../kit/input/fields.ts";
import { name } from "../../kit/input/name.ts";
import { limits } from "../../vocabulary/limits.ts";
import { channelKinds } from "../../vocabulary/states.ts";
import { transportNames } from "./transports/transports.ts";

export const channelInput = z.object({
  name: name(),
  kind: z.enum(channelKinds),
  address: emptyableText(limits.channelAddress).optional(),
  inbound_address: nullableText(limits.channelAddress),
  outbound_address: nullableText(limits.channelAddress),
  transport: z.enum(transportNames).optional(),
  transport_url: nullableText(limits.transportUrl),
  transport_secret: nullableText(limits.transportSecret),
});

export type ChannelInput = z.output<typeof channelInput>;

/** What is left out stays as it is. A channel is of its kind for ever, because its conversations are. */
export const channelPatch = channelInput.omit({ kind: true }).partial();

export type ChannelPatch = z.output<typeof channelPatch>;
