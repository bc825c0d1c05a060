/** `crm fields remove` */
import { Args } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { workspaceFlag, yesFlag } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class FieldsRemove extends CrmCommand {
  static override description = "Removes a custom field with all of its values.";
  static override jsonResult = "{id, key, name, removed}";
  static override examples = [
    "<%= config.bin %> fields remove plan",
    "<%= config.bin %> fields remove plan --yes --json",
  ];
  static override args = { field: Args.string({ description: "Its key or id.", required: true }) };
  static override flags = { ...workspaceFlag, ...yesFlag };

  async run(): Promise<{ id: number; key: string; name: string; removed: true }> {
    const { args, flags } = await this.parse(FieldsRemove);
    return this.inWorkspace(flags, async (caller, service) => {
      const [{ chooseField }, { deleteCustomField }] = await Promise.all([
        import("../../terminal/input/choosing/choose-field.ts"),
        import("../../src/crm/custom-fields/custom-field.operations.ts"),
      ]);
      const { id, key, name } = await chooseField(caller, args.field);
      await confirm(`remove custom field ${id} (${printable(name)}) with all of its values`, flags);
      await service.carryOut(deleteCustomField, caller, { custom_field: id });
      this.log(`Removed custom field ${id} (${printable(name)}).`);
      return { id, key, name, removed: true };
    });
  }
}
