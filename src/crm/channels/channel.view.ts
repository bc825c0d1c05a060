/** What goes out for a channel (specification, "Channel"). The token of its inbound URL is in no answer of the API. */
import { z } from "zod";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import { channelKinds, channelStatuses } from "../../vocabulary/states.ts";
import type { ChannelKind, ChannelStatus } from "../../vocabulary/states.ts";
import type { TransportName } from "./transports/transports.ts";

/** A channel as it could be. */
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

const channelView = z
  .object({
    id: z.int(),
    kind: z.enum(channelKinds),
    name: z.string(),
    address: z.string(),
    status: z.enum(channelStatuses),
    created_at: z.iso.datetime(),
    inbound_address: z.string().optional().describe("Of email channels alone."),
    outbound_address: z.string().optional().describe("Of email channels alone."),
  })
  .meta({ id: "Channel", description: "By what messages come and go.", examples: [channelSpecimen] });

export type ChannelView = z.output<typeof channelView>;

/** A channel inside a conversation. */
export const channelReference = z
  .object({ id: z.int(), name: z.string() })
  .meta({ id: "ChannelReference", examples: [{ id: channelSpecimen.id, name: channelSpecimen.name }] });

export const channelListView = z
  .object({ data: z.array(channelView) })
  .meta({ id: "ChannelList", description: "Every channel of the location, by kind, then id." });

/** As selected: times in milliseconds. */
export interface ChannelRow {
  readonly id: number;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly address: string;
  readonly inbound_address: string | null;
  readonly outbound_address: string | null;
  readonly transport: TransportName;
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
