/** `crm attachments get` */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";

export default class AttachmentsGet extends CrmCommand {
  static override description = `Prints the content of an attachment.

crm conversations show lists the ids.`;
  static override jsonResult = "the attachment with a URL that is valid for an hour, without its content";
  static override examples = [
    "<%= config.bin %> attachments get 3 > price-list.pdf",
    "<%= config.bin %> attachments get 3 --json",
  ];
  static override args = { id: idArgument("The attachment.") };
  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AttachmentsGet);
    const { getAttachment } = await import("../../src/crm/conversations/attachments/attachment.operations.ts");
    const { readAttachment } = await import("../../src/crm/conversations/attachments/attachment.content.ts");
    const { printBytes } = await import("../../terminal/output/print-stream.ts");
    return this.inLocation(flags, async (caller, { carryOut, blobs }) => {
      const attachment = await carryOut(getAttachment, caller, { attachment: args.id });
      if (!this.jsonEnabled()) await printBytes(readAttachment(caller, blobs, attachment.id));
      return attachment;
    });
  }
}
