/** `crm conversations reopen` */
import type { ConversationView } from "../../src/crm/conversations/conversation.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";

export default class ConversationsReopen extends CrmCommand {
  static override description = "Reopens a conversation that is closed or snoozed.";
  static override jsonResult = "the conversation";
  static override examples = [
    "<%= config.bin %> conversations reopen 7",
    "<%= config.bin %> conversations reopen 7 --json",
  ];
  static override args = { id: idArgument("The conversation.") };
  static override flags = locationFlags;

  async run(): Promise<ConversationView> {
    const { args, flags } = await this.parse(ConversationsReopen);
    const { updateConversation } = await import("../../src/crm/conversations/conversation.operations.ts");
    const conversation = await this.carryOut(updateConversation, flags, {
      conversation: args.id,
      input: { status: "open" },
    });
    this.log(`Reopened conversation ${args.id}.`);
    return conversation;
  }
}
