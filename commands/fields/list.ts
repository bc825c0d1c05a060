/** `crm fields list` */
import { CrmCommand } from "../../terminal/command.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class FieldsList extends CrmCommand {
  static override description = "Lists the custom fields of a workspace, oldest first.";
  static override jsonResult = "[{id, on, key, name, type, options?, created_at}]";
  static override examples = ["<%= config.bin %> fields list", "<%= config.bin %> fields list --json"];
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { flags } = await this.parse(FieldsList);
    const { listCustomFields } = await import("../../src/crm/custom-fields/custom-field.operations.ts");
    const fields = await this.listAll(listCustomFields, flags);
    const rows = fields.map(({ options, ...field }) => ({ ...field, options: options?.join(", ") ?? "" }));
    this.log(
      table(rows, ["id", "on", "key", "name", "type", "options"], {
        cuts: ["name", "options"],
        none: "No custom fields yet. Create one: crm fields create NAME --on contact --type text",
      }),
    );
    return fields;
  }
}
