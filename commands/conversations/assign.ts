/** `crm conversations assign`: sets the assignee or the contact of a conversation. */
import { Flags } from "@oclif/core";
import type { ConversationView } from "../../src/crm/conversations/conversation.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { idArgument, idFlag, locationFlags } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ConversationsAssign extends CrmCommand {
  static override description =
    "Assigns a conversation to a user, or to no user, or to the contact of an unknown sender.";
  static override jsonResult = "the conversation";
  static override examples = [
    "<%= config.bin %> conversations assign 7 --user 2",
    "<%= config.bin %> conversations assign 7 --unassign",
    "<%= config.bin %> conversations assign 7 --contact 12 --json",
  ];
  static override args = { id: idArgument("The conversation.") };
  static override flags = {
    ...locationFlags,
    user: idFlag({ description: "The assignee; crm users list has the ids.", exclusive: ["unassign"] }),
    // --nobody is the name of earlier releases.
    unassign: Flags.boolean({ description: "No assignee.", aliases: ["nobody"] }),
    contact: idFlag({ description: "The contact, if the sender was unknown." }),
  };

  static override fields = { assignee_user_id: "user" };

  async run(): Promise<ConversationView> {
    const { args, flags } = await this.parse(ConversationsAssign);
    const { user, unassign, contact } = flags;
    if (user === undefined && !unassign && contact === undefined) {
      throw new WrongUsage("Nothing to change: give --user, --unassign or --contact.");
    }
    const { updateConversation } = await import("../../src/crm/conversations/conversation.operations.ts");
    const conversation = await this.carryOut(updateConversation, flags, {
      conversation: args.id,
      input: {
        ...(user === undefined ? {} : { assignee_user_id: user }),
        ...(unassign ? { assignee_user_id: null } : {}),
        ...(contact === undefined ? {} : { contact_id: contact }),
      },
    });
    const whose = conversation.contact === null ? "an unknown sender" : conversation.contact.name;
    const { assignee } = conversation;
    this.log(
      printable(
        `Conversation ${args.id} with ${whose} is ${assignee === null ? "unassigned" : `assigned to ${assignee.name}`}.`,
      ),
    );
    return conversation;
  }
}
