/** `crm attachments upload` */
import { Args } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { locationFlags } from "../../terminal/input/flags.ts";
import { uploadFiles } from "../../terminal/input/given/attached-files.ts";
import { counted } from "../../src/kit/text.ts";

export default class AttachmentsUpload extends CrmCommand {
  static override description = `Uploads a file of at most 15 MiB, and prints its id.

A message can be sent with it within a day, or a workflow saved that names it in attachment_ids.`;
  static override jsonResult = "the attachment";
  static override examples = ["<%= config.bin %> attachments upload price-list.pdf --location 1"];
  static override args = { file: Args.string({ description: "The file.", required: true }) };
  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AttachmentsUpload);
    const { getAttachment } = await import("../../src/crm/conversations/attachments/attachment.operations.ts");
    return this.inLocation(flags, async (caller, service) => {
      const [id] = (await uploadFiles(caller, service, [args.file]))!;
      const attachment = await service.carryOut(getAttachment, caller, { attachment: id! });
      this.log(`Attachment ${attachment.id}: ${attachment.name}, ${counted(attachment.size, "byte")}.`);
      return attachment;
    });
  }
}
