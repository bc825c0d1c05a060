/** `crm channels update` */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { channelFlags, readChannelFields } from "../../terminal/input/channel-flags.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { signingSecret } from "../../terminal/output/records/channel-secrets.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ChannelsUpdate extends CrmCommand {
  static override description =
    "Changes the given fields of a channel; an empty value clears one. A new transport starts without URL and secret.";
  static override jsonResult = "the channel, and transport_secret if it was generated";
  static override examples = [
    '<%= config.bin %> channels update 1 --name "Front desk"',
    "<%= config.bin %> channels update 1 --transport smtp --transport-url smtp://localhost:1025",
    '<%= config.bin %> channels update 1 --address desk@example.com --inbound-address "" --json',
  ];
  static override args = { id: idArgument("The channel.") };
  static override flags = {
    ...locationFlags,
    name: Flags.string({ description: "Its name." }),
    ...channelFlags,
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ChannelsUpdate);
    const fields = { ...(await readChannelFields(flags)), ...(flags.name === undefined ? {} : { name: flags.name }) };
    if (Object.keys(fields).length === 0) {
      throw new WrongUsage("Nothing to change: give at least one field, such as --name.");
    }
    const { updateChannel } = await import("../../src/crm/channels/channel.operations.ts");
    const channel = await this.carryOut(updateChannel, flags, { channel: args.id, input: fields });
    this.log(`Updated channel ${channel.id} (${printable(channel.name)}).`);
    if (channel.transport_secret !== undefined) this.log(signingSecret(channel.transport_secret));
    return channel;
  }
}
