/** `crm tags create` */
import { Args, Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class TagsCreate extends CrmCommand {
  static override description = "Creates a tag, which contacts of every location of the workspace can have.";
  static override jsonResult = "{id, name, color}";
  static override examples = [
    '<%= config.bin %> tags create "VIP"',
    '<%= config.bin %> tags create "VIP" --color "#c0392b" --json',
  ];
  static override args = {
    name: Args.string({ description: "Its name, unique ignoring case and spacing.", required: true }),
  };
  static override flags = { ...workspaceFlag, color: Flags.string({ description: "Its color, such as #1a2b3c." }) };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(TagsCreate);
    const { createTag } = await import("../../src/crm/tags/tag.operations.ts");
    const tag = await this.carryOut(createTag, flags, { input: { name: args.name, color: flags.color } });
    this.log(`Created tag ${tag.id} (${printable(tag.name)}).`);
    return tag;
  }
}
