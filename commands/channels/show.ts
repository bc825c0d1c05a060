/** `crm channels show` */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ChannelsShow extends CrmCommand {
  static override description =
    "Shows a channel: its addresses, its transport, and if it cannot deliver, the error, such as ECONNREFUSED 127.0.0.1:1025.";
  static override jsonResult = "as crm channels list";
  static override examples = ["<%= config.bin %> channels show 1", "<%= config.bin %> channels show 1 --json"];
  static override args = { id: idArgument("The channel.") };
  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ChannelsShow);
    const { getChannelSettings } = await import("../../src/crm/channels/channel.operations.ts");
    const channel = await this.carryOut(getChannelSettings, flags, { channel: args.id });
    const { id, ...facts } = channel;
    this.log(`Channel ${id}`);
    for (const [field, value] of Object.entries(facts)) {
      if (value === null || value === "") continue;
      this.log(`  ${`${field.replaceAll("_", " ")}:`.padEnd(18)}${printable(String(value))}`);
    }
    return channel;
  }
}
