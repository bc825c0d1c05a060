/** The table of channels. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Location } from "../../tenancy/locations/location.entity.ts";
import { channelKinds, channelStatuses } from "../../vocabulary/states.ts";

export const Channel = defineEntity({
  name: "Channel",
  tableName: "channels",
  // The order of the list.
  indexes: [{ name: "channels_of_location", properties: ["location", "kind", "id"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("restrict").index(false),
    kind: p.enum(channelKinds),
    name: p.text(),
    address: p.text(),
    /** Of an email channel, if they differ from `address`. */
    inboundAddress: p.text().nullable(),
    outboundAddress: p.text().nullable(),
    /** The name of a transport (transports/all.ts). */
    transport: p.text(),
    /** The URL and the encrypted secret of the transport; null for `log`. */
    transportUrl: p.text().nullable(),
    transportSecret: p.text().nullable(),
    status: p.enum(channelStatuses),
    /** Why it cannot deliver, for the operator; null unless the status is `error`. */
    error: p.text().nullable(),
    /** SHA-256 of the inbound token, for the lookup. */
    inboundHash: p.text().unique("channels_inbound_hash"),
    /** The inbound token itself, encrypted, since the URL can be printed again. */
    inboundToken: p.text(),
    createdAt: p.datetime(3),
  },
});
