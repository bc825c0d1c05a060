/** `crm channels resume` */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, placeFlags } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ChannelsResume extends CrmCommand {
  static override description = "Resumes sending on a paused channel.";
  static override jsonResult = "the channel";
  static override examples = ["<%= config.bin %> channels resume 1", "<%= config.bin %> channels resume 1 --json"];
  static override args = { id: idArgument("The channel.") };
  static override flags = placeFlags;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ChannelsResume);
    const { setChannelStatus } = await import("../../src/crm/channels/channel.operations.ts");
    const channel = await this.carryOut(setChannelStatus, flags, { channel: args.id, input: { status: "active" } });
    this.log(`Resumed channel ${channel.id} (${printable(channel.name)}).`);
    return channel;
  }
}
