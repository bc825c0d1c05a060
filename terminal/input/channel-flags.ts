/** The fields of a channel as flags. */
import { Flags } from "@oclif/core";
import { readSecret } from "./secret.ts";
import type { z } from "zod";
import type { channelPatch } from "../../src/crm/channels/channel.schema.ts";
import { channelTransports } from "../../src/crm/channels/transports/all.ts";
import type { Transports } from "../../src/crm/channels/transports/transports.ts";

/** "a, b or c" */
const alternatives = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** The flags that say how the messages of a channel are sent. */
export function transportFlagsOf({ all, names }: Transports) {
  const networked = all.filter((transport) => transport.accepts === "queued");
  const secrets = networked.flatMap(({ secretSummary }) => secretSummary ?? []);
  return {
    transport: Flags.option({
      description: `How messages are sent: ${all.map(({ name, summary }) => `${name} ${summary}`).join(", ")}.`,
      options: names,
    })(),
    "transport-url": Flags.string({
      description: `The server: ${alternatives.format(networked.flatMap(({ urlForms }) => urlForms))}.`,
      helpValue: "URL",
    }),
    "transport-secret-stdin": Flags.boolean({ description: `Read ${secrets.join(", or ")}, from stdin.` }),
  };
}

export const channelFlags = {
  address: Flags.string({ description: "Its phone number, e-mail address or account name." }),
  ...transportFlagsOf(channelTransports),
  "inbound-address": Flags.string({ description: "Email only: where replies go, if not to --address." }),
  "outbound-address": Flags.string({ description: "Email only: the sender, if not --address." }),
  "imap-url": Flags.string({
    description: "Email only: the mailbox to receive from: imaps://USER@HOST or imap://USER@HOST:PORT/FOLDER.",
    helpValue: "URL",
  }),
  "imap-password-stdin": Flags.boolean({
    description: "Read the mailbox's password from stdin.",
    exclusive: ["transport-secret-stdin"],
  }),
  "imap-move-to": Flags.string({ description: "Move received mails to this folder.", helpValue: "FOLDER" }),
};

interface GivenFlags {
  readonly address?: string | undefined;
  readonly transport?: string | undefined;
  readonly "transport-url"?: string | undefined;
  readonly "transport-secret-stdin"?: boolean | undefined;
  readonly "inbound-address"?: string | undefined;
  readonly "outbound-address"?: string | undefined;
  readonly "imap-url"?: string | undefined;
  readonly "imap-password-stdin"?: boolean | undefined;
  readonly "imap-move-to"?: string | undefined;
}

/** The flags as API fields, without omitted ones. Reads the secret from stdin if asked to. */
export async function readChannelFields(flags: GivenFlags): Promise<z.input<typeof channelPatch>> {
  const fields = {
    address: flags.address,
    transport: flags.transport,
    transport_url: flags["transport-url"],
    transport_secret: flags["transport-secret-stdin"] === true ? await readSecret() : undefined,
    inbound_address: flags["inbound-address"],
    outbound_address: flags["outbound-address"],
    imap_url: flags["imap-url"],
    imap_password: flags["imap-password-stdin"] === true ? await readSecret() : undefined,
    imap_move_to: flags["imap-move-to"],
  };
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
