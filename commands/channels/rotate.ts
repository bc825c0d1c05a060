/** `crm channels rotate`: replaces the secret URLs of a channel. */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { channelSecrets } from "../../terminal/output/records/channel-secrets.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ChannelsRotate extends CrmCommand {
  static override description =
    "Replaces the inbound URL of a channel, and the receipts URL of a gateway, and prints them. The old ones stop working at once.";
  static override jsonResult = "the channel, with inbound_url, and receipts_url for a gateway";
  static override examples = ["<%= config.bin %> channels rotate 1", "<%= config.bin %> channels rotate 1 --json"];
  static override args = { id: idArgument("The channel.") };
  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ChannelsRotate);
    const { rotateInboundUrl } = await import("../../src/crm/channels/channel.operations.ts");
    const channel = await this.carryOut(rotateInboundUrl, flags, { channel: args.id });
    this.log(`Channel ${channel.id} (${printable(channel.name)}) has a new inbound URL:`);
    this.log(channelSecrets(channel));
    return channel;
  }
}
