/** `crm contacts update` */
import type { ContactView } from "../../src/crm/contacts/contact.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { contactFlags, toContactFields } from "../../terminal/input/contact-flags.ts";
import { customFieldFlag, readCustomValues } from "../../terminal/input/given/custom-values.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ContactsUpdate extends CrmCommand {
  static override description = "Changes the given fields of a contact; an empty value clears one.";
  static override jsonResult = "the full contact as the API shows it";

  static override examples = [
    '<%= config.bin %> contacts update 12 --company "Analytical Engines"',
    '<%= config.bin %> contacts update 12 --phone "" --dnd --json',
    "<%= config.bin %> contacts update 12 --field plan=Basic --field renewal=",
  ];

  static override args = { id: idArgument("The contact.") };

  static override flags = { ...locationFlags, ...contactFlags, ...customFieldFlag };

  async run(): Promise<ContactView> {
    const { args, flags } = await this.parse(ContactsUpdate);
    const fields = toContactFields(flags);
    if (Object.keys(fields).length === 0 && flags.field === undefined) {
      throw new WrongUsage("Nothing to change: give at least one field, such as --email.");
    }
    const { updateContact } = await import("../../src/crm/contacts/contact.operations.ts");
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const input = { ...fields, ...(await readCustomValues(caller, carryOut, "contact", flags.field)) };
      const contact = await carryOut(updateContact, caller, { contact: args.id, input });
      this.log(`Updated contact ${contact.id} (${printable(contact.name)}).`);
      return contact;
    });
  }
}
