/** `crm conversations cancel` */
import type { MessageView } from "../../src/crm/conversations/messages/message.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, idFlag, locationFlags } from "../../terminal/input/flags.ts";

export default class ConversationsCancel extends CrmCommand {
  static override description = "Cancels a queued message: it fails, and the next message of its conversation follows.";
  static override jsonResult = "the message";
  static override examples = [
    "<%= config.bin %> conversations cancel 12 --conversation 7",
    "<%= config.bin %> conversations cancel 12 --conversation 7 --json",
  ];
  static override args = { message: idArgument("The message.") };
  static override flags = {
    ...locationFlags,
    conversation: idFlag({ description: "Its conversation.", required: true }),
  };

  async run(): Promise<MessageView> {
    const { args, flags } = await this.parse(ConversationsCancel);
    const { cancelMessage } = await import("../../src/crm/conversations/conversation.operations.ts");
    const message = await this.carryOut(cancelMessage, flags, {
      conversation: flags.conversation!,
      message: args.message,
    });
    this.log(`Message ${message.id} in conversation ${message.conversation_id} is canceled.`);
    return message;
  }
}
