/** `crm contacts note` */
import { Args, Flags } from "@oclif/core";
import type { NoteView } from "../../src/crm/notes/note.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";

export default class ContactsNote extends CrmCommand {
  static override description = "Adds a note to a contact.";
  static override jsonResult = "the note as the API shows it";
  static override examples = [
    '<%= config.bin %> contacts note 12 "Asked for a price list"',
    '<%= config.bin %> contacts note 12 "Never call before noon" --pinned --json',
  ];
  static override args = {
    id: idArgument("The contact."),
    text: Args.string({ description: "The note.", required: true }),
  };
  static override flags = { ...locationFlags, pinned: Flags.boolean({ description: "Pins it." }) };

  async run(): Promise<NoteView> {
    const { args, flags } = await this.parse(ContactsNote);
    const { addNote } = await import("../../src/crm/notes/note.operations.ts");
    const input = { body: args.text, pinned: flags.pinned };
    const note = await this.carryOut(addNote, flags, { contact: args.id, input });
    this.log(`Added note ${note.id} to contact ${args.id}.`);
    return note;
  }
}
