/** The fields of a channel as flags. */
import { Flags } from "@oclif/core";
import { transportNames } from "../../src/crm/channels/transports/transports.ts";

export const channelFlags = {
  address: Flags.string({ description: "Its number, its e-mail address, or whatever people write to." }),
  transport: Flags.option({
    description: "How its messages go out: log keeps them and hands them to nobody.",
    options: transportNames,
  })(),
  "inbound-address": Flags.string({ description: "Of an email channel: where mail comes in, if not at --address." }),
  "outbound-address": Flags.string({ description: "Of an email channel: what mail is sent from, if not --address." }),
};

interface GivenFlags {
  readonly address?: string | undefined;
  readonly transport?: string | undefined;
  readonly "inbound-address"?: string | undefined;
  readonly "outbound-address"?: string | undefined;
}

/** The flags as the fields that they set; those that were left out are left out. */
export function toChannelFields(flags: GivenFlags): Record<string, string> {
  const fields = {
    address: flags.address,
    transport: flags.transport,
    inbound_address: flags["inbound-address"],
    outbound_address: flags["outbound-address"],
  };
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
