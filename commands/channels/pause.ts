/** `crm channels pause` */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, placeFlags } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ChannelsPause extends CrmCommand {
  static override description = "Pauses a channel: it sends nothing, and still accepts inbound messages.";
  static override jsonResult = "the channel";
  static override examples = ["<%= config.bin %> channels pause 1", "<%= config.bin %> channels pause 1 --json"];
  static override args = { id: idArgument("The channel.") };
  static override flags = placeFlags;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ChannelsPause);
    const { setChannelStatus } = await import("../../src/crm/channels/channel.operations.ts");
    const channel = await this.carryOut(setChannelStatus, flags, { channel: args.id, input: { status: "paused" } });
    this.log(`Paused channel ${channel.id} (${printable(channel.name)}).`);
    return channel;
  }
}
