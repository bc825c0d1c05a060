/** `crm workflows schema`: the JSON Schema of a definition. */
import { CrmCommand } from "../../terminal/command.ts";

export default class WorkflowsSchema extends CrmCommand {
  static override description = `Prints the JSON Schema of a definition, so that editors complete it and mark mistakes.

It needs no database. What the location has to have, and where nodes lead, is judged when a workflow is published.`;
  static override examples = [
    "<%= config.bin %> workflows schema > workflow.schema.json",
    "<%= config.bin %> workflows schema --json | jq .properties",
  ];

  async run(): Promise<unknown> {
    await this.parse(WorkflowsSchema);
    const { definitionJsonSchema } = await import("../../src/crm/workflows/definition/json-schema.ts");
    const schema = definitionJsonSchema();
    this.log(JSON.stringify(schema, null, 2));
    return schema;
  }
}
