/** `crm contacts merge`: makes two contacts one. */
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, locationFlags, yesFlag } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ContactsMerge extends CrmCommand {
  static override description = `Merges another contact into a contact, for good.

The contact keeps its values and takes those that it lacks; everything that belongs to the other moves to it, and the other's id stands for it from then on. Asks first.`;
  static override jsonResult = "the contact as the API shows it";
  static override examples = [
    "<%= config.bin %> contacts merge 12 31",
    "<%= config.bin %> contacts merge 12 31 --yes --json",
  ];

  static override args = {
    id: idArgument("The contact that remains."),
    other: idArgument("The contact that is merged into it."),
  };

  static override flags = { ...locationFlags, ...yesFlag };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ContactsMerge);
    const [{ getContact }, { listContactMerges, mergeContacts }, { countNeighbours }] = await Promise.all([
      import("../../src/crm/contacts/contact.operations.ts"),
      import("../../src/crm/contacts/merging/merge.operations.ts"),
      import("../../src/crm/contacts/neighbours/contact-neighbours.ts"),
    ]);
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const [one, other] = [
        await carryOut(getContact, caller, { contact: args.id }),
        await carryOut(getContact, caller, { contact: args.other }),
      ];
      const counts = [...(await countNeighbours(caller, other.id))].filter(([, count]) => count > 0);
      const neighbours = counts.map(([noun, count]) => `${noun} (${count})`).join(", ");
      const into = `contact ${one.id} (${printable(one.name)})`;
      await confirm(
        `merge contact ${args.other} (${printable(other.name)}) with its ${neighbours} into ${into}`,
        flags,
      );
      const merged = await carryOut(mergeContacts, caller, { contact: one.id, input: { contact_id: args.other } });
      const { data } = await carryOut(listContactMerges, caller, { contact: one.id });
      this.log(`Merged contact ${args.other} into ${into}.`);
      if (data.some(({ contact_id: id, status }) => id === args.other && status === "running"))
        this.log("Some of its records are still to be moved; the worker does so.");
      return merged;
    });
  }
}
