/** `crm workflows schema`: the JSON Schema of a definition. */
import { CrmCommand } from "../../terminal/command.ts";

export default class WorkflowsSchema extends CrmCommand {
  static override description = `Prints the JSON Schema of a definition, for completion and validation in editors: "$schema": "./workflow.schema.json".

Needs no database. References to the location, and paths between nodes, are checked when a workflow is published.`;
  static override jsonResult = "the same";
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
