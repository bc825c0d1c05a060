/** `crm tags rename` */
import { Args, Flags } from "@oclif/core";
import type { TagView } from "../../src/crm/tags/tag.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { tagArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class TagsRename extends CrmCommand {
  static override description = "Renames or recolors a tag; it keeps its id and its contacts.";
  static override jsonResult = "{id, name, color}";
  static override examples = [
    '<%= config.bin %> tags rename vip "Very important"',
    '<%= config.bin %> tags rename vip --color "#c0392b"',
    "<%= config.bin %> tags rename 3 VIP --json",
  ];
  static override args = {
    tag: tagArgument,
    name: Args.string({ description: "Its new name." }),
  };
  static override flags = {
    ...workspaceFlag,
    color: Flags.string({ description: "Its new color, such as #1a2b3c; an empty value clears it." }),
  };

  async run(): Promise<TagView> {
    const { args, flags } = await this.parse(TagsRename);
    const { name } = args;
    const { color } = flags;
    if (name === undefined && color === undefined) throw new WrongUsage("Nothing to change: give NAME or --color.");
    return this.inWorkspace(flags, async (caller, service) => {
      const [{ chooseTag }, { updateTag }] = await Promise.all([
        import("../../terminal/input/choosing/choose-tag.ts"),
        import("../../src/crm/tags/tag.operations.ts"),
      ]);
      const { id, name: before } = await chooseTag(caller, args.tag);
      const tag = await service.carryOut(updateTag, caller, { tag: id, input: { name, color } });
      this.log(
        name === undefined
          ? `Changed the color of tag ${id} (${printable(before)}): ${tag.color ?? "none"}.`
          : `Renamed tag ${id} (${printable(before)}): ${printable(tag.name)}.`,
      );
      return tag;
    });
  }
}
