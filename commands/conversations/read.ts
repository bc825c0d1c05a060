/** `crm conversations read` */
import type { ConversationView } from "../../src/crm/conversations/conversation.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";

export default class ConversationsRead extends CrmCommand {
  static override description = "Marks a conversation as read.";
  static override jsonResult = "the conversation";
  static override examples = [
    "<%= config.bin %> conversations read 7",
    "<%= config.bin %> conversations read 7 --json",
  ];
  static override args = { id: idArgument("The conversation.") };
  static override flags = locationFlags;

  async run(): Promise<ConversationView> {
    const { args, flags } = await this.parse(ConversationsRead);
    const { updateConversation } = await import("../../src/crm/conversations/conversation.operations.ts");
    const conversation = await this.carryOut(updateConversation, flags, {
      conversation: args.id,
      input: { unread: false },
    });
    this.log(`Marked conversation ${args.id} as read.`);
    return conversation;
  }
}
