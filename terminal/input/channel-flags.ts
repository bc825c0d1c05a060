/** The fields of a channel as flags. */
import { Flags } from "@oclif/core";
import { readSecret } from "./secret.ts";
import type { z } from "zod";
import type { channelPatch } from "../../src/crm/channels/channel.schema.ts";
import { transportNames } from "../../src/crm/channels/transports/transports.ts";

export const channelFlags = {
  address: Flags.string({ description: "Its phone number, e-mail address or account name." }),
  transport: Flags.option({
    description: "How messages are sent: log only stores them, smtp uses a mail server, http your gateway.",
    options: transportNames,
  })(),
  "transport-url": Flags.string({
    description: "The server: smtps://USER@HOST, smtp://HOST:PORT or https://HOST/PATH.",
    helpValue: "URL",
  }),
  "transport-secret-stdin": Flags.boolean({
    description: "Read the mail server's password, or the gateway's signing secret, from stdin.",
  }),
  "inbound-address": Flags.string({ description: "Email only: where replies go, if not to --address." }),
  "outbound-address": Flags.string({ description: "Email only: the sender, if not --address." }),
};

interface GivenFlags {
  readonly address?: string | undefined;
  readonly transport?: string | undefined;
  readonly "transport-url"?: string | undefined;
  readonly "transport-secret-stdin"?: boolean | undefined;
  readonly "inbound-address"?: string | undefined;
  readonly "outbound-address"?: string | undefined;
}

/** The flags as the fields that they set; those that were left out are left out. Reads the secret where it is to come by stdin. */
export async function readChannelFields(flags: GivenFlags): Promise<z.input<typeof channelPatch>> {
  const fields = {
    address: flags.address,
    transport: flags.transport,
    transport_url: flags["transport-url"],
    transport_secret: flags["transport-secret-stdin"] === true ? await readSecret() : undefined,
    inbound_address: flags["inbound-address"],
    outbound_address: flags["outbound-address"],
  };
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
