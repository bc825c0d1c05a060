/** `crm channels create`: a channel and its inbound URL. */
import { Args, Flags } from "@oclif/core";
import { channelKinds } from "../../src/vocabulary/states.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { channelFlags, readChannelFields } from "../../terminal/input/channel-flags.ts";
import { locationFlags } from "../../terminal/input/flags.ts";
import { channelSecrets } from "../../terminal/output/records/channel-secrets.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ChannelsCreate extends CrmCommand {
  static override description = `Creates a channel in a location and prints its inbound URL.

The URL is a secret: it lets its holder post messages. crm channels list --inbound-urls prints it again.

With --transport smtp, messages are sent by a mail server, encrypted unless it runs on this machine. With http, they are posted to your gateway, signed with a secret that is
generated and shown once unless you give one. A worker sends them; "crm serve" runs one.

With --imap-url, an email channel also receives from a mailbox: what arrives there from now on. Nothing in it is changed, unless --imap-move-to names a folder. The kind of a channel never changes. docs/channels.md has the details.`;
  static override jsonResult =
    "the channel as the API shows it, with inbound_url; with http also receipts_url, and transport_secret if it was generated";
  static override examples = [
    '<%= config.bin %> channels create "Front desk" --kind email --address desk@example.com',
    '<%= config.bin %> channels create "Front desk" --kind email --address desk@example.com --transport smtp --transport-url smtps://desk@mail.example.com --transport-secret-stdin < FILE',
    '<%= config.bin %> channels create "Front desk" --kind email --address desk@example.com --imap-url imaps://desk@mail.example.com --imap-password-stdin < FILE',
    '<%= config.bin %> channels create "Texts" --kind sms --transport http --transport-url https://gateway.example.com/send',
    '<%= config.bin %> channels create "Calls" --kind call --address "(415) 555-2671" --json',
  ];
  static override args = { name: Args.string({ description: "Its name.", required: true }) };
  static override flags = {
    ...locationFlags,
    kind: Flags.option({ description: "The kind of messages.", options: channelKinds, required: true })(),
    ...channelFlags,
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ChannelsCreate);
    const { createChannel } = await import("../../src/crm/channels/channel.operations.ts");
    const input = { name: args.name, kind: flags.kind, ...(await readChannelFields(flags)) };
    const channel = await this.carryOut(createChannel, flags, { input });
    this.log(`Created channel ${channel.id} (${printable(channel.name)}). Its inbound URL:`);
    this.log(channelSecrets(channel));
    return channel;
  }
}
