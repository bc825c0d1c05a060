/** The fields of a channel as flags. */
import { Flags } from "@oclif/core";
import { readSecret } from "./secret.ts";
import type { z } from "zod";
import type { channelPatch } from "../../src/crm/channels/channel.schema.ts";
import { transportNames } from "../../src/crm/channels/transports/transports.ts";

export const channelFlags = {
  address: Flags.string({ description: "Its number, its e-mail address, or whatever people write to." }),
  transport: Flags.option({
    description:
      "How its messages go out: log keeps them, smtp hands them to a mail server, http to a gateway of yours.",
    options: transportNames,
  })(),
  "transport-url": Flags.string({
    description: "Where they are handed to: smtps://USER@HOST, smtp://HOST:PORT or https://HOST/PATH.",
    helpValue: "URL",
  }),
  "transport-secret-stdin": Flags.boolean({
    description: "Read the password of the mail server, or the secret that signs for the gateway, from stdin.",
  }),
  "inbound-address": Flags.string({ description: "Of an email channel: where mail comes in, if not at --address." }),
  "outbound-address": Flags.string({ description: "Of an email channel: what mail is sent from, if not --address." }),
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
