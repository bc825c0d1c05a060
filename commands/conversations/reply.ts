/** `crm conversations reply`: sends a message or adds an internal note. */
import { Args, Flags } from "@oclif/core";
import type { MessageView } from "../../src/crm/conversations/messages/message.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, placeFlags } from "../../terminal/input/flags.ts";
import { readMessageBody } from "../../terminal/input/given/message-body.ts";

export default class ConversationsReply extends CrmCommand {
  static override description = "Sends a text in a conversation, or adds an internal note.";
  static override jsonResult = "the message";
  static override examples = [
    '<%= config.bin %> conversations reply 7 "Good morning! Here is our price list."',
    '<%= config.bin %> conversations reply 7 "She is in a hurry." --note',
    "<%= config.bin %> conversations reply 7 --subject Prices --json < answer.txt",
  ];
  static override args = {
    id: idArgument("The conversation."),
    body: Args.string({ description: "The text; without it, or with -, stdin." }),
  };
  static override flags = {
    ...placeFlags,
    subject: Flags.string({ description: "The subject of a mail." }),
    note: Flags.boolean({ description: "Add an internal note." }),
  };

  async run(): Promise<MessageView> {
    const { args, flags } = await this.parse(ConversationsReply);
    const { sendMessage } = await import("../../src/crm/conversations/conversation.operations.ts");
    const message = await this.carryOut(sendMessage, flags, {
      conversation: args.id,
      input: {
        body: await readMessageBody(args.body),
        kind: flags.note ? "note" : "text",
        subject: flags.subject,
      },
    });
    this.log(
      message.kind === "note"
        ? `Added note ${message.id} to conversation ${args.id}.`
        : `Message ${message.id} in conversation ${args.id} is ${message.status}.`,
    );
    return message;
  }
}
