/** `crm conversations reopen` */
import type { ConversationView } from "../../src/crm/conversations/conversation.view.ts";
import { changeConversation } from "../../terminal/change-conversation.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, placeFlags } from "../../terminal/input/flags.ts";

export default class ConversationsReopen extends CrmCommand {
  static override description = "Opens a conversation that is closed or snoozed.";
  static override examples = [
    "<%= config.bin %> conversations reopen 7",
    "<%= config.bin %> conversations reopen 7 --json",
  ];
  static override args = { id: idArgument("The conversation.") };
  static override flags = placeFlags;

  async run(): Promise<ConversationView> {
    const { args, flags } = await this.parse(ConversationsReopen);
    const conversation = await this.inLocation(flags, (caller) =>
      changeConversation(caller, args.id, { status: "open" }),
    );
    this.log(`Opened conversation ${args.id}.`);
    return conversation;
  }
}
