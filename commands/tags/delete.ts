/** `crm tags delete` */
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { tagArgument, workspaceFlag, yesFlag } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";
import { counted } from "../../src/kit/text.ts";

export default class TagsDelete extends CrmCommand {
  static override description = `Deletes a tag and removes it from all contacts, a thousand at a time.

Contacts are otherwise unchanged, and no event is emitted. If it is interrupted, run it again to finish.`;
  static override jsonResult = "{id, name, deleted, contacts}";
  static override examples = ["<%= config.bin %> tags delete vip", "<%= config.bin %> tags delete 3 --yes --json"];
  static override args = { tag: tagArgument };
  static override flags = { ...workspaceFlag, ...yesFlag };

  async run(): Promise<{ id: number; name: string; deleted: true; contacts: number }> {
    const { args, flags } = await this.parse(TagsDelete);
    return this.inWorkspace(flags, async (caller, { deps }) => {
      const [{ carryOut }, { chooseTag }, { countTagged, deleteTag }, { startProgress }] = await Promise.all([
        import("../../src/operation/carry-out.ts"),
        import("../../terminal/input/choosing/choose-tag.ts"),
        import("../../src/crm/tags/tag.operations.ts"),
        import("../../terminal/output/progress.ts"),
      ]);
      const { id, name } = await chooseTag(caller, args.tag);
      const { contacts, applied } = await carryOut(countTagged, caller, { tag: id }, deps);
      const tag = `tag ${id} (${printable(name)}), which ${contacts === 1 ? "1 contact has" : `${contacts} contacts have`}`;
      await confirm(`delete ${tag}`, flags);
      const bar = startProgress({ total: applied });
      const progress = (count: number) => bar.update(count, count);
      try {
        await carryOut(deleteTag, caller, { tag: id }, { ...deps, progress });
      } finally {
        bar.clear();
      }
      this.log(`Deleted tag ${id} (${printable(name)}); ${counted(contacts, "contact")} had it.`);
      return { id, name, deleted: true, contacts };
    });
  }
}
