/** `crm channels test`: sends one test message by the transport of a channel. */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, placeFlags } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ChannelsTest extends CrmCommand {
  static override description = `Sends a test message by the transport of a channel and prints the result.

It is sent once, from this process, and belongs to no conversation; it shows whether the mail server or the gateway accepts messages.`;
  static override jsonResult = "{id, transport, to, taken}";
  static override examples = [
    "<%= config.bin %> channels test 1 --to ada@example.com",
    "<%= config.bin %> channels test 1 --to +14155552671 --json",
  ];
  static override args = { id: idArgument("The channel.") };
  static override flags = {
    ...placeFlags,
    to: Flags.string({ description: "The recipient: an address of yours.", required: true, helpValue: "ADDRESS" }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ChannelsTest);
    const { testChannel } = await import("../../src/crm/channels/channel.operations.ts");
    const { reason, ...channel } = await this.carryOut(testChannel, flags, {
      channel: args.id,
      input: { to: flags.to },
    });
    if (reason !== null) throw new Error(reason);
    this.log(`The ${channel.transport} transport of channel ${channel.id} (${printable(channel.name)}) accepted it.`);
    return { id: channel.id, transport: channel.transport, to: flags.to, taken: true };
  }
}
