/** `crm contacts create` */
import { Flags } from "@oclif/core";
import type { ContactView } from "../../src/crm/contacts/contact.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { contactFlags, toContactFields } from "../../terminal/input/contact-flags.ts";
import { customFieldFlag, readCustomValues } from "../../terminal/input/given/custom-values.ts";
import { locationFlags } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ContactsCreate extends CrmCommand {
  static override description = `Creates a contact, even if another one has the same e-mail address or phone number.

crm contacts import updates that one instead.`;
  static override jsonResult = "the full contact as the API shows it";

  static override examples = [
    "<%= config.bin %> contacts create --first-name Ada --last-name Lovelace --email ada@example.com",
    '<%= config.bin %> contacts create --first-name Grace --phone "(212) 555-0142" --company "Navy Yard" --json',
    "<%= config.bin %> contacts create --first-name Ada --field plan=Pro --field renewal=2026-03-01",
  ];

  static override flags = {
    ...locationFlags,
    ...contactFlags,
    ...customFieldFlag,
    "first-name": Flags.string({ description: contactFlags["first-name"].description!, required: true }),
  };

  async run(): Promise<ContactView> {
    const { flags } = await this.parse(ContactsCreate);
    const { createContact } = await import("../../src/crm/contacts/contact.operations.ts");
    const named = { first_name: flags["first-name"], last_name: "" };
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const custom = await readCustomValues(caller, carryOut, "contact", flags.field);
      const input = { ...named, ...toContactFields(flags), ...custom };
      const contact = await carryOut(createContact, caller, { input });
      this.log(`Created contact ${contact.id} (${printable(contact.name)}).`);
      return contact;
    });
  }
}
