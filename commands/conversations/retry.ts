/** `crm conversations retry` */
import type { MessageView } from "../../src/crm/conversations/messages/message.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, idFlag, locationFlags } from "../../terminal/input/flags.ts";

export default class ConversationsRetry extends CrmCommand {
  static override description = "Sends a failed message again, after the messages of its conversation that still wait.";
  static override jsonResult = "the message";
  static override examples = [
    "<%= config.bin %> conversations retry 12 --conversation 7",
    "<%= config.bin %> conversations retry 12 --conversation 7 --json",
  ];
  static override args = { message: idArgument("The message.") };
  static override flags = {
    ...locationFlags,
    conversation: idFlag({ description: "Its conversation.", required: true }),
  };

  async run(): Promise<MessageView> {
    const { args, flags } = await this.parse(ConversationsRetry);
    const { retryMessage } = await import("../../src/crm/conversations/conversation.operations.ts");
    const message = await this.carryOut(retryMessage, flags, {
      conversation: flags.conversation!,
      message: args.message,
    });
    this.log(`Message ${message.id} in conversation ${message.conversation_id} is ${message.status}.`);
    return message;
  }
}
