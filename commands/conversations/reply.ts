/** `crm conversations reply`: sends a message or adds an internal note. */
import { Args, Flags } from "@oclif/core";
import type { MessageView } from "../../src/crm/conversations/messages/message.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { attachFlag, uploadFiles } from "../../terminal/input/given/attached-files.ts";
import { readMessageBody } from "../../terminal/input/given/message-body.ts";
import { readNamedFile } from "../../terminal/input/given/named-file.ts";
import { limits } from "../../src/vocabulary/limits.ts";

export default class ConversationsReply extends CrmCommand {
  static override description = "Sends a text in a conversation, or adds an internal note.";
  static override jsonResult = "the message";
  static override examples = [
    '<%= config.bin %> conversations reply 7 "Good morning! Here is our price list."',
    '<%= config.bin %> conversations reply 7 "She is in a hurry." --note',
    '<%= config.bin %> conversations reply 7 "Here is our price list." --attach price-list.pdf',
    "<%= config.bin %> conversations reply 7 --subject Prices --json < answer.txt",
    "<%= config.bin %> conversations reply 7 --subject Prices --html answer.html < answer.txt",
  ];
  static override args = {
    id: idArgument("The conversation."),
    body: Args.string({ description: "The text; without it, or with -, stdin." }),
  };
  static override flags = {
    ...locationFlags,
    subject: Flags.string({ description: "The subject of a mail." }),
    html: Flags.string({ description: "A file with the HTML version of a mail.", helpValue: "FILE" }),
    attach: attachFlag,
    note: Flags.boolean({ description: "Add an internal note." }),
  };

  async run(): Promise<MessageView> {
    const { args, flags } = await this.parse(ConversationsReply);
    const { sendMessage } = await import("../../src/crm/conversations/conversation.operations.ts");
    const html = flags.html === undefined ? undefined : await readNamedFile("--html", flags.html, limits.messageHtml);
    const body = await readMessageBody(args.body);
    const message = await this.inLocation(flags, async (caller, service) => {
      const attachment_ids = await uploadFiles(caller, service, flags.attach);
      const input = { body, kind: flags.note ? "note" : "text", subject: flags.subject, html, attachment_ids } as const;
      return service.carryOut(sendMessage, caller, { conversation: args.id, input });
    });
    this.log(
      message.kind === "note"
        ? `Added note ${message.id} to conversation ${args.id}.`
        : `Message ${message.id} in conversation ${args.id} is ${message.status}.`,
    );
    return message;
  }
}
