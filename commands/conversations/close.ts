/** `crm conversations close` */
import type { ConversationView } from "../../src/crm/conversations/conversation.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";

export default class ConversationsClose extends CrmCommand {
  static override description = "Closes a conversation. An inbound message reopens it.";
  static override jsonResult = "the conversation";
  static override examples = [
    "<%= config.bin %> conversations close 7",
    "<%= config.bin %> conversations close 7 --json",
  ];
  static override args = { id: idArgument("The conversation.") };
  static override flags = locationFlags;

  async run(): Promise<ConversationView> {
    const { args, flags } = await this.parse(ConversationsClose);
    const { updateConversation } = await import("../../src/crm/conversations/conversation.operations.ts");
    const conversation = await this.carryOut(updateConversation, flags, {
      conversation: args.id,
      input: { status: "closed" },
    });
    this.log(`Closed conversation ${args.id}.`);
    return conversation;
  }
}
