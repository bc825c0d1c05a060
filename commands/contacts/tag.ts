/** `crm contacts tag` */
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags, tagArgument } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ContactsTag extends CrmCommand {
  static override description = "Adds a tag of the workspace to a contact; repeating it changes nothing.";
  static override jsonResult = "the contact as the API shows it";
  static override examples = ["<%= config.bin %> contacts tag 12 vip", "<%= config.bin %> contacts tag 12 3 --json"];
  static override args = { id: idArgument("The contact."), tag: tagArgument };
  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ContactsTag);
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const [{ chooseTag }, { addContactTag }] = await Promise.all([
        import("../../terminal/input/choosing/choose-tag.ts"),
        import("../../src/crm/contacts/contact.operations.ts"),
      ]);
      const { id: tagId, name } = await chooseTag(caller, args.tag);
      const contact = await carryOut(addContactTag, caller, { contact: args.id, input: { tag_id: tagId } });
      this.log(`Contact ${args.id} (${printable(contact.name)}) has the tag ${printable(name)}.`);
      return contact;
    });
  }
}
