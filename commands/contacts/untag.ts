/** `crm contacts untag` */
import { Refusal } from "../../src/vocabulary/errors.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { Refused } from "../../terminal/failures.ts";
import { idArgument, locationFlags, tagArgument } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ContactsUntag extends CrmCommand {
  static override description = "Removes a tag from a contact; the tag itself stays.";
  static override jsonResult = "the contact as the API shows it";
  static override examples = [
    "<%= config.bin %> contacts untag 12 vip",
    "<%= config.bin %> contacts untag 12 3 --json",
  ];
  static override args = { id: idArgument("The contact."), tag: tagArgument };
  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ContactsUntag);
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const [{ chooseTag }, { removeContactTag }] = await Promise.all([
        import("../../terminal/input/choosing/choose-tag.ts"),
        import("../../src/crm/contacts/contact.operations.ts"),
      ]);
      const { id: tagId, name } = await chooseTag(caller, args.tag);
      const contact = await carryOut(removeContactTag, caller, { contact: args.id, tag: tagId }).catch((error) => {
        // The tag is there: it is the contact that lacks it.
        if (!(error instanceof Refusal && error.code === "tag.not_found")) throw error;
        throw new Refused(`Contact ${args.id} does not have the tag ${printable(name)}.`, error.code);
      });
      this.log(`Contact ${args.id} (${printable(contact.name)}) no longer has the tag ${printable(name)}.`);
      return contact;
    });
  }
}
