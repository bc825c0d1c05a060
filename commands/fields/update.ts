/** `crm fields update` */
import { Args, Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class FieldsUpdate extends CrmCommand {
  static override description = "Renames a custom field or replaces its options; its key and type never change.";
  static override jsonResult = "{id, on, key, name, type, options?, created_at}";
  static override examples = [
    '<%= config.bin %> fields update plan --name "Subscription"',
    "<%= config.bin %> fields update plan --option Basic --option Pro --option Team --json",
  ];
  static override args = { field: Args.string({ description: "Its key or id.", required: true }) };
  static override flags = {
    ...workspaceFlag,
    name: Flags.string({ description: "Its new name." }),
    option: Flags.string({ description: "All of its options, which replace the former; repeatable.", multiple: true }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(FieldsUpdate);
    const { name, option: options } = flags;
    if (name === undefined && options === undefined)
      throw new WrongUsage("Nothing to change: give --name or --option.");
    return this.inWorkspace(flags, async (caller, service) => {
      const [{ chooseField }, { updateCustomField }] = await Promise.all([
        import("../../terminal/input/choosing/choose-field.ts"),
        import("../../src/crm/custom-fields/custom-field.operations.ts"),
      ]);
      const { id } = await chooseField(caller, args.field);
      const field = await service.carryOut(updateCustomField, caller, { custom_field: id, input: { name, options } });
      this.log(`Changed custom field ${field.id} (${printable(field.name)}).`);
      return field;
    });
  }
}
