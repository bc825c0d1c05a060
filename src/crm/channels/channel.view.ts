/** The output of channels (specification, "Channel"). The HTTP API never shows the inbound token. */
import { z } from "zod";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import { channelKinds, channelStatuses } from "../../vocabulary/states.ts";
import type { ChannelKind, ChannelStatus } from "../../vocabulary/states.ts";
import { channelTransports } from "./transports/all.ts";

/** An example. */
const channelSpecimen = {
  id: 1,
  kind: "email" as const,
  name: "Front desk",
  address: "desk@example.com",
  status: "active" as const,
  created_at: "2026-03-01T12:00:00.000Z",
  inbound_address: "desk@example.com",
  outbound_address: "desk@example.com",
};

const inboundUrlSpecimen = "https://crm.example.com/inbound/cV3bN8mQ2wX5zL7kJ4hG6fD9";

export const channelView = z
  .object({
    id: z.int(),
    kind: z.enum(channelKinds),
    name: z.string(),
    address: z.string(),
    status: z.enum(channelStatuses),
    created_at: z.iso.datetime(),
    inbound_address: z.string().optional().describe("Only of email channels."),
    outbound_address: z.string().optional().describe("Only of email channels."),
  })
  .meta({
    id: "Channel",
    description: "A connection by which a location exchanges messages with its contacts.",
    examples: [channelSpecimen],
  });

export type ChannelView = z.output<typeof channelView>;

const inboundUrls = {
  inbound_url: z.string().describe("The URL that accepts inbound messages. It is a secret."),
  receipts_url: z.string().optional().describe("The URL at which a gateway reports deliveries. It is a secret."),
};

/** A channel with its inbound and receipts URLs, shown when they are created. */
export const openChannelView = channelView.extend(inboundUrls).meta({
  id: "OpenChannel",
  description: "A channel with its inbound URL, which is a secret.",
  examples: [{ ...channelSpecimen, inbound_url: inboundUrlSpecimen }],
});

export type OpenChannelView = z.output<typeof openChannelView>;

/** A generated signing secret, shown once. */
const mintedSecret = {
  transport_secret: z
    .string()
    .optional()
    .describe("The secret that signs requests to a gateway, if it was generated. It is shown only once."),
};

export const newChannelView = openChannelView.extend(mintedSecret).meta({
  id: "NewChannel",
  description: "A new channel with its inbound URL, which is a secret.",
  examples: [{ ...channelSpecimen, inbound_url: inboundUrlSpecimen }],
});

export type NewChannelView = z.output<typeof newChannelView>;

export const changedChannelView = channelView.extend(mintedSecret).meta({
  id: "ChangedChannel",
  description: "A channel after a change.",
  examples: [channelSpecimen],
});

export type ChangedChannelView = z.output<typeof changedChannelView>;

/** A channel with its transport, and if asked for with its secret URLs. */
export const channelSettingsView = channelView.extend({
  transport: z.enum(channelTransports.names),
  transport_url: z.string().nullable(),
  imap_url: z.string().nullable().describe("The mailbox from which it receives."),
  imap_move_to: z.string().nullable().describe("The folder to which received mails are moved."),
  error: z.string().nullable().describe("Why it cannot send or receive, if its status is `error`."),
  inbound_url: inboundUrls.inbound_url.optional(),
  receipts_url: inboundUrls.receipts_url,
});

export type ChannelSettingsView = z.output<typeof channelSettingsView>;

/** The result of a test. */
export const testedChannelView = z
  .object({
    id: z.int(),
    name: z.string(),
    transport: z.enum(channelTransports.names),
    reason: z.string().nullable().describe("Why the transport failed; null if it accepted the message."),
    imap_reason: z
      .string()
      .nullable()
      .optional()
      .describe("Why the mailbox cannot be read; null if it can. Absent without a mailbox."),
  })
  .meta({
    id: "ChannelTest",
    description: "The result of a test message.",
    examples: [{ id: 1, name: "Front desk", transport: "smtp", reason: null }],
  });

export type TestedChannelView = z.output<typeof testedChannelView>;

/** A channel inside a conversation. */
export const channelReference = z
  .object({ id: z.int(), name: z.string() })
  .meta({ id: "ChannelReference", examples: [{ id: channelSpecimen.id, name: channelSpecimen.name }] });

export const channelListView = z
  .object({ data: z.array(channelView) })
  .meta({ id: "ChannelList", description: "Every channel of the location, by kind, then id." });

/** A selected row; times in milliseconds. */
export interface ChannelRow {
  readonly id: number;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly address: string;
  readonly inbound_address: string | null;
  readonly outbound_address: string | null;
  readonly transport: string;
  readonly status: ChannelStatus;
  readonly created_at: number;
}

export function toChannel(row: ChannelRow): ChannelView {
  const { id, kind, name, address, status } = row;
  const channel = { id, kind, name, address, status, created_at: toTimestamp(row.created_at) };
  if (kind !== "email") return channel;
  return {
    ...channel,
    inbound_address: row.inbound_address ?? address,
    outbound_address: row.outbound_address ?? address,
  };
}
