/** `crm channels test`: sends one test message by the transport of a channel, and opens its mailbox. */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ChannelsTest extends CrmCommand {
  static override description = `Sends a test message by the transport of a channel, opens its mailbox if it has one, and prints the results.

The message is sent once, from this process, and belongs to no conversation.`;
  static override jsonResult =
    "{id, transport, to, taken}: taken is false for the transport log, which sends nothing; and imap: true if the mailbox can be read";
  static override examples = [
    "<%= config.bin %> channels test 1 --to ada@example.com",
    "<%= config.bin %> channels test 1 --to +14155552671 --json",
  ];
  static override args = { id: idArgument("The channel.") };
  static override flags = {
    ...locationFlags,
    to: Flags.string({ description: "The recipient: an address of yours.", required: true, helpValue: "ADDRESS" }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ChannelsTest);
    const { testChannel } = await import("../../src/crm/channels/channel.operations.ts");
    const {
      reason,
      imap_reason: imapReason,
      ...channel
    } = await this.carryOut(testChannel, flags, {
      channel: args.id,
      input: { to: flags.to },
    });
    if (reason === null && channel.transport !== "log")
      this.log(`The ${channel.transport} transport of channel ${channel.id} (${printable(channel.name)}) accepted it.`);
    if (imapReason === null) this.log(`The mailbox of channel ${channel.id} can be read.`);
    const faults = [reason, imapReason ?? null].filter((fault) => fault !== null);
    if (faults.length > 0) throw new Error(faults.join("\n"));
    const result = { id: channel.id, transport: channel.transport, to: flags.to, taken: channel.transport !== "log" };
    return imapReason === null ? { ...result, imap: true } : result;
  }
}
