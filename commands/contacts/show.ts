/** `crm contacts show`: a contact with its related records. */
import type { ContactView } from "../../src/crm/contacts/contact.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { describeContact } from "../../terminal/output/records/contact-text.ts";
import { terminalWidth } from "../../terminal/output/table.ts";

export default class ContactsShow extends CrmCommand {
  static override description = `Shows a contact with its opportunities, tasks, conversations and notes, and its timeline, newest first.

Times are those of the location.`;
  static override jsonResult = "the full contact as the API shows it";

  static override examples = [
    "<%= config.bin %> contacts show 12",
    "<%= config.bin %> contacts show 12 --location 2 --json",
  ];

  static override args = { id: idArgument("The contact.") };

  static override flags = locationFlags;

  async run(): Promise<ContactView> {
    const { args, flags } = await this.parse(ContactsShow);
    const { getContact } = await import("../../src/crm/contacts/contact.operations.ts");
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const contact = await carryOut(getContact, caller, { contact: args.id });
      const shown = { timeZone: caller.location.timezone, width: terminalWidth() };
      this.log(describeContact(contact, shown).join("\n"));
      return contact;
    });
  }
}
