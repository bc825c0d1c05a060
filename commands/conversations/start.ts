/** `crm conversations start` */
import { Args, Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { attachFlag, uploadFiles } from "../../terminal/input/given/attached-files.ts";
import { idArgument, idFlag, locationFlags } from "../../terminal/input/flags.ts";

export default class ConversationsStart extends CrmCommand {
  static override description =
    "Starts a conversation with a contact on a channel, or continues the one that is not closed.";
  static override jsonResult = "{conversation, message}";
  static override examples = [
    '<%= config.bin %> conversations start 12 "Good morning!" --channel 1',
    '<%= config.bin %> conversations start 12 "Here is our price list." --channel 1 --subject Prices --json',
  ];
  static override args = {
    contact: idArgument("The contact."),
    body: Args.string({ description: "A first text." }),
  };
  static override flags = {
    ...locationFlags,
    channel: idFlag({ description: "The channel; crm channels list has the ids.", required: true }),
    subject: Flags.string({ description: "The subject of a mail." }),
    attach: attachFlag,
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ConversationsStart);
    const [{ startConversation }, { outcomeOf }] = await Promise.all([
      import("../../src/crm/conversations/conversation.operations.ts"),
      import("../../src/operation/carry-out.ts"),
    ]);
    const { body } = args;
    const { channel: channel_id, subject } = flags;
    const { body: started, isNew } = await this.inLocation(flags, async (caller, service) => {
      const attachment_ids = await uploadFiles(caller, service, flags.attach);
      const input = { contact_id: args.contact, channel_id, body, subject, attachment_ids };
      return outcomeOf(startConversation, caller, { input }, service.deps);
    });
    const sent = started.message === null ? "" : ` Message ${started.message.id} is ${started.message.status}.`;
    this.log(`${isNew ? "Started" : "Continued"} conversation ${started.conversation.id}.${sent}`);
    return started;
  }
}
