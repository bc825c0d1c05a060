/** `crm channels resume` */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ChannelsResume extends CrmCommand {
  static override description = "Resumes sending on a paused channel.";
  static override jsonResult = "as crm channels pause";
  static override examples = ["<%= config.bin %> channels resume 1", "<%= config.bin %> channels resume 1 --json"];
  static override args = { id: idArgument("The channel.") };
  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ChannelsResume);
    const [{ setChannelStatus }, { countRunsOfChannel }] = await Promise.all([
      import("../../src/crm/channels/channel.operations.ts"),
      import("../../src/crm/workflows/workflow-run.operations.ts"),
    ]);
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const records = { channel: args.id };
      const { waiting_runs: runs } = await carryOut(countRunsOfChannel, caller, records);
      const channel = await carryOut(setChannelStatus, caller, { ...records, input: { status: "active" } });
      this.log(
        `Resumed channel ${channel.id} (${printable(channel.name)}).${runs === 0 ? "" : ` Workflow runs that continue: ${runs}.`}`,
      );
      return { ...channel, waiting_runs: runs };
    });
  }
}
