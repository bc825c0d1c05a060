/** `crm notes update` */
import { Flags } from "@oclif/core";
import type { NoteView } from "../../src/crm/notes/note.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";

export default class NotesUpdate extends CrmCommand {
  static override description = "Changes the text of a note, pins it, or unpins it.";
  static override jsonResult = "the note as the API shows it";
  static override examples = [
    '<%= config.bin %> notes update 12 5 --body "Prefers the telephone"',
    "<%= config.bin %> notes update 12 5 --no-pinned --json",
  ];
  static override args = { contact: idArgument("The contact."), note: idArgument("The note.") };
  static override flags = {
    ...locationFlags,
    body: Flags.string({ description: "Its new text." }),
    pinned: Flags.boolean({ description: "Pins it, or unpins it.", allowNo: true }),
  };

  async run(): Promise<NoteView> {
    const { args, flags } = await this.parse(NotesUpdate);
    const { body, pinned } = flags;
    if (body === undefined && pinned === undefined)
      throw new WrongUsage("Nothing to change: give --body, --pinned or --no-pinned.");
    const { updateNote } = await import("../../src/crm/notes/note.operations.ts");
    const note = await this.carryOut(updateNote, flags, { ...args, input: { body, pinned } });
    this.log(`Updated note ${note.id} of contact ${args.contact}.`);
    return note;
  }
}
