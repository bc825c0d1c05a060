/** `crm conversations remove` */
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, locationFlags, yesFlag } from "../../terminal/input/flags.ts";

export default class ConversationsRemove extends CrmCommand {
  static override description = "Deletes a conversation with its messages.";
  static override jsonResult = "{id, removed}";
  static override examples = [
    "<%= config.bin %> conversations remove 3",
    "<%= config.bin %> conversations remove 3 --yes --json",
  ];
  static override args = { id: idArgument("The conversation.") };
  static override flags = { ...locationFlags, ...yesFlag };

  async run(): Promise<{ id: number; removed: true }> {
    const { args, flags } = await this.parse(ConversationsRemove);
    await confirm(`remove conversation ${args.id} and its messages`, flags);
    const { deleteConversation } = await import("../../src/crm/conversations/conversation.operations.ts");
    await this.carryOut(deleteConversation, flags, { conversation: args.id });
    this.log(`Removed conversation ${args.id}.`);
    return { id: args.id, removed: true };
  }
}
