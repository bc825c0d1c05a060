/** `crm conversations snooze` */
import { Flags } from "@oclif/core";
import type { ConversationView } from "../../src/crm/conversations/conversation.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { durationFlag, idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { describeStatus } from "../../terminal/output/conversation-text.ts";

export default class ConversationsSnooze extends CrmCommand {
  static override description =
    "Snoozes a conversation for a while, or until a time. An inbound message reopens it earlier.";
  static override jsonResult = "the conversation";
  static override examples = [
    "<%= config.bin %> conversations snooze 7 --for 2d",
    "<%= config.bin %> conversations snooze 7 --until 2026-03-02T09:00:00Z --json",
  ];
  static override args = { id: idArgument("The conversation.") };
  static override flags = {
    ...locationFlags,
    for: durationFlag({ description: "A duration, such as 2d.", exclusive: ["until"] }),
    until: Flags.string({ description: "A time with an offset or Z.", helpValue: "TIME" }),
  };

  static override fields = { snoozed_until: "until" };

  async run(): Promise<ConversationView> {
    const { args, flags } = await this.parse(ConversationsSnooze);
    const { updateConversation } = await import("../../src/crm/conversations/conversation.operations.ts");
    return this.inLocation(flags, async (caller, { carryOut, clock }) => {
      const end = flags.for === undefined ? null : new Date(clock.now().getTime() + flags.for).toISOString();
      const conversation = await carryOut(updateConversation, caller, {
        conversation: args.id,
        input: { status: "snoozed", snoozed_until: flags.until ?? end },
      });
      this.log(`Conversation ${args.id} is ${describeStatus(conversation, caller.location.timezone)}.`);
      return conversation;
    });
  }
}
