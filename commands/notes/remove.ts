/** `crm notes remove` */
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, locationFlags, yesFlag } from "../../terminal/input/flags.ts";

export default class NotesRemove extends CrmCommand {
  static override description = "Deletes a note of a contact.";
  static override jsonResult = "{id, removed}";
  static override examples = [
    "<%= config.bin %> notes remove 12 5",
    "<%= config.bin %> notes remove 12 5 --yes --json",
  ];
  static override args = { contact: idArgument("The contact."), note: idArgument("The note.") };
  static override flags = { ...locationFlags, ...yesFlag };

  async run(): Promise<{ id: number; removed: true }> {
    const { args, flags } = await this.parse(NotesRemove);
    await confirm(`remove note ${args.note} of contact ${args.contact}`, flags);
    const { deleteNote } = await import("../../src/crm/notes/note.operations.ts");
    await this.carryOut(deleteNote, flags, args);
    this.log(`Removed note ${args.note} of contact ${args.contact}.`);
    return { id: args.note, removed: true };
  }
}
