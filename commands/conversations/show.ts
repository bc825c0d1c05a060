/** `crm conversations show` */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { columnsOfStream } from "../../terminal/output/columns.ts";
import { describeTalk } from "../../terminal/output/conversation-text.ts";

export default class ConversationsShow extends CrmCommand {
  static override description = `Shows a conversation with its last hundred messages, oldest first, with times in the time zone of the location.

It stays unread until crm conversations read, or a reply.`;
  static override jsonResult = "{conversation, messages}";
  static override examples = [
    "<%= config.bin %> conversations show 7",
    "<%= config.bin %> conversations show 7 --location 2 --json",
  ];
  static override args = { id: idArgument("The conversation.") };
  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ConversationsShow);
    const { getConversation } = await import("../../src/crm/conversations/conversation.operations.ts");
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const { conversation, messages } = await carryOut(getConversation, caller, { conversation: args.id });
      const columns = columnsOfStream(process.stdout);
      this.log(describeTalk(conversation, messages, { timeZone: caller.location.timezone, columns }));
      return { conversation, messages };
    });
  }
}
