/** The input of channels. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { emptyableText, filterFlag, nullableText, text } from "../../kit/input/fields.ts";
import { name } from "../../kit/input/name.ts";
import { limits } from "../../vocabulary/limits.ts";
import { channelKinds } from "../../vocabulary/states.ts";
import { channelTransports } from "./transports/all.ts";
import type { Transports } from "./transports/transports.ts";

const fieldsOf = ({ names }: Transports) => ({
  name: name(),
  kind: z.enum(channelKinds),
  address: emptyableText(limits.channelAddress).optional(),
  inbound_address: nullableText(limits.channelAddress),
  outbound_address: nullableText(limits.channelAddress),
  transport: z.enum(names).optional(),
  transport_url: nullableText(limits.transportUrl),
  transport_secret: nullableText(limits.transportSecret),
  imap_url: nullableText(limits.transportUrl),
  imap_password: nullableText(limits.transportSecret),
  imap_move_to: nullableText(limits.name),
});

export const channelInputOf = (transports: Transports) => creation(fieldsOf(transports));

export const channelInput = channelInputOf(channelTransports).meta({
  examples: [{ name: "Front desk", kind: "email", address: "desk@example.com" }],
});

export type ChannelInput = z.output<typeof channelInput>;

/** Fields that are left out stay unchanged. The kind of a channel never changes, since its conversations have it too. */
export const channelPatch = z.object(fieldsOf(channelTransports)).omit({ kind: true }).partial();

export type ChannelPatch = z.output<typeof channelPatch>;

export const channelStatusInput = z.object({ status: z.enum(["active", "paused"]) });

/** The fields and the status in one request. */
export const changedChannelInput = channelPatch.extend(channelStatusInput.partial().shape);

export const channelSettingsQuery = z.object({
  urls: filterFlag().describe("Whether to include the inbound and receipts URLs, which are secrets."),
});

export type ChannelSettingsQuery = z.output<typeof channelSettingsQuery>;

export const channelTestInput = z
  .object({ to: text(limits.channelAddress) })
  .meta({ examples: [{ to: "ada@example.com" }] });
