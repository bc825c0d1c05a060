/** `crm fields create` */
import { Args, Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";
import { customFieldSubjects, customFieldTypes } from "../../src/vocabulary/custom-fields.ts";

export default class FieldsCreate extends CrmCommand {
  static override description = "Creates a custom field, which contacts of every location of the workspace have.";
  static override jsonResult = "{id, on, key, name, type, options?, created_at}";
  static override examples = [
    '<%= config.bin %> fields create "Birthday" --on contact --type date',
    '<%= config.bin %> fields create "Plan" --on contact --type select --option Basic --option Pro --json',
  ];
  static override args = { name: Args.string({ description: "Its name.", required: true }) };
  static override flags = {
    ...workspaceFlag,
    on: Flags.option({ description: "What has the field.", options: customFieldSubjects, required: true })(),
    type: Flags.option({ description: "The type of its values.", options: customFieldTypes, required: true })(),
    key: Flags.string({ description: "Its name in the API, made from NAME unless given." }),
    option: Flags.string({ description: "A value of the types select and multiselect; repeatable.", multiple: true }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(FieldsCreate);
    const { createCustomField } = await import("../../src/crm/custom-fields/custom-field.operations.ts");
    const { on, type, key, option: options } = flags;
    const field = await this.carryOut(createCustomField, flags, { input: { name: args.name, on, type, key, options } });
    this.log(`Created custom field ${field.id} (${printable(field.name)}) with the key ${field.key}.`);
    return field;
  }
}
