/** `crm notes list` */
import type { NoteView } from "../../src/crm/notes/note.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { countFlag, idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { showMoment } from "../../terminal/output/moments.ts";
import { table } from "../../terminal/output/table.ts";

export default class NotesList extends CrmCommand {
  static override description = "Lists the notes of a contact, newest first; times are those of the location.";
  static override jsonResult = "a list of notes as the API shows them";
  static override examples = ["<%= config.bin %> notes list 12", "<%= config.bin %> notes list 12 --json"];
  static override args = { contact: idArgument("The contact.") };
  static override flags = {
    ...locationFlags,
    limit: countFlag(10_000, { description: "How many to show at most.", default: 200 }),
  };

  async run(): Promise<NoteView[]> {
    const { args, flags } = await this.parse(NotesList);
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const [{ listNotes }, { allPages }] = await Promise.all([
        import("../../src/crm/notes/note.operations.ts"),
        import("../../src/kit/page.ts"),
      ]);
      const notes = await allPages(
        (page) => carryOut(listNotes, caller, { contact: args.contact, query: page }),
        flags.limit,
      );
      const rows = notes.map(({ id, pinned, body, user, created_at }) => ({
        id,
        pinned: pinned ? "yes" : null,
        added: showMoment(created_at, caller.location.timezone),
        by: user?.name,
        note: body,
      }));
      this.log(
        table(rows, ["id", "pinned", "added", "by", "note"], {
          cuts: ["by", "note"],
          none: `No notes yet. Add one: crm contacts note ${args.contact} TEXT`,
        }),
      );
      return notes;
    });
  }
}
