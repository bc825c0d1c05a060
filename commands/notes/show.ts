/** `crm notes show` */
import type { NoteView } from "../../src/crm/notes/note.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { details } from "../../terminal/output/details.ts";
import { showMoment } from "../../terminal/output/moments.ts";
import { printable } from "../../terminal/output/table.ts";

export default class NotesShow extends CrmCommand {
  static override description = "Shows a note of a contact in full.";
  static override jsonResult = "the note as the API shows it";
  static override examples = ["<%= config.bin %> notes show 12 5", "<%= config.bin %> notes show 12 5 --json"];
  static override args = { contact: idArgument("The contact."), note: idArgument("The note.") };
  static override flags = locationFlags;

  async run(): Promise<NoteView> {
    const { args, flags } = await this.parse(NotesShow);
    const { getNote } = await import("../../src/crm/notes/note.operations.ts");
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const note = await carryOut(getNote, caller, args);
      const moment = (timestamp: string | null) => showMoment(timestamp, caller.location.timezone);
      this.log(
        details(`Note ${note.id}${note.pinned ? ", pinned" : ""}`, {
          by: note.user && `${note.user.name} (${note.user.id})`,
          "added at": moment(note.created_at),
          "changed at": note.updated_at === note.created_at ? null : moment(note.updated_at),
        }),
      );
      this.log(["", ...note.body.split("\n").map(printable)].join("\n"));
      return note;
    });
  }
}
