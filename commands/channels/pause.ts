/** `crm channels pause` */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ChannelsPause extends CrmCommand {
  static override description =
    "Pauses a channel: it sends nothing, and still accepts inbound messages. Workflow runs that send on it wait until it is resumed.";
  static override jsonResult = "the channel, with waiting_runs: how many runs of workflows waited for it";
  static override examples = ["<%= config.bin %> channels pause 1", "<%= config.bin %> channels pause 1 --json"];
  static override args = { id: idArgument("The channel.") };
  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ChannelsPause);
    const [{ setChannelStatus }, { countRunsOfChannel }] = await Promise.all([
      import("../../src/crm/channels/channel.operations.ts"),
      import("../../src/crm/workflows/workflow-run.operations.ts"),
    ]);
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const records = { channel: args.id };
      const { waiting_runs: runs } = await carryOut(countRunsOfChannel, caller, records);
      const channel = await carryOut(setChannelStatus, caller, { ...records, input: { status: "paused" } });
      this.log(
        `Paused channel ${channel.id} (${printable(channel.name)}). Workflow runs that send on it wait until it is resumed: ${runs} now.`,
      );
      return { ...channel, waiting_runs: runs };
    });
  }
}
