/** `crm tags list` */
import { CrmCommand } from "../../terminal/command.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class TagsList extends CrmCommand {
  static override description = "Lists the tags of a workspace by name.";
  static override jsonResult = "[{id, name, color}]";
  static override examples = ["<%= config.bin %> tags list", "<%= config.bin %> tags list --json"];
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { flags } = await this.parse(TagsList);
    const { listTags } = await import("../../src/crm/tags/tag.operations.ts");
    const tags = await this.listAll(listTags, flags);
    this.log(
      table(tags, ["id", "name", "color"], { cuts: ["name"], none: "No tags yet. Create one: crm tags create NAME" }),
    );
    return tags;
  }
}
