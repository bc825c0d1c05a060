/** `crm contacts delete`: deletes a contact. */
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, locationFlags, yesFlag } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ContactsDelete extends CrmCommand {
  static override description = `Deletes a contact for good; its external_ref stays taken.

Asks first, with the number of its notes, tasks and so on.`;
  static override jsonResult = "{id, deleted}";

  static override examples = [
    "<%= config.bin %> contacts delete 12",
    "<%= config.bin %> contacts delete 12 --yes --json",
  ];

  static override args = { id: idArgument("The contact.") };

  static override flags = { ...locationFlags, ...yesFlag };

  async run(): Promise<{ id: number; deleted: true }> {
    const { args, flags } = await this.parse(ContactsDelete);
    const [{ getContact }, { deleteContact }, { countNeighbours }] = await Promise.all([
      import("../../src/crm/contacts/contact.operations.ts"),
      import("../../src/crm/erasure/contact-removal.operations.ts"),
      import("../../src/crm/contacts/neighbours/contact-neighbours.ts"),
    ]);
    return this.inLocation(flags, async (caller, { carryOut }) => {
      // The id of a merged contact stands for another one.
      const contact = await carryOut(getContact, caller, { contact: args.id });
      const { id } = contact;
      const name = printable(contact.name);
      const counts = [...(await countNeighbours(caller, id))].filter(([, count]) => count > 0);
      const neighbours = counts.map(([noun, count]) => `${noun} (${count})`).join(", ");
      await confirm(`delete contact ${id} (${name}) with its ${neighbours}`, flags);
      await carryOut(deleteContact, caller, { contact: id });
      this.log(`Deleted contact ${id} (${name}).`);
      return { id, deleted: true };
    });
  }
}
