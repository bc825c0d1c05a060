/** `crm workflows create` */
import { Args, Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { locationFlags } from "../../terminal/input/flags.ts";
import { fileFlag, readDefinitionFile } from "../../terminal/input/given/definition.ts";
import { describeWriteResult } from "../../terminal/output/workflows/write-result.ts";

export default class WorkflowsCreate extends CrmCommand {
  static override description = `Creates a workflow from a definition in JSON.

It is created as a draft, and its errors are listed. With --publish it is published at once, and not created if it contains errors. docs/workflows.md explains definitions; crm workflows
schema prints their JSON Schema for editors.`;
  static override jsonResult =
    "the workflow as the API shows it, with warnings, and faults by path (nodes.greet.channel_id)";
  static override examples = [
    "<%= config.bin %> workflows create Welcome --file welcome.json",
    "<%= config.bin %> workflows create Welcome --file welcome.json --publish --allow-reentry --json",
  ];
  static override args = { name: Args.string({ description: "Its name.", required: true }) };
  static override flags = {
    ...locationFlags,
    file: { ...fileFlag, required: true },
    publish: Flags.boolean({ description: "Publish it at once." }),
    "allow-reentry": Flags.boolean({ description: "Allow several concurrent runs per contact." }),
  };

  static override fields = { definition: "file" };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkflowsCreate);
    const { createWorkflow } = await import("../../src/crm/workflows/workflow.operations.ts");
    const workflow = await this.carryOut(createWorkflow, flags, {
      input: {
        name: args.name,
        definition: await readDefinitionFile(flags.file!),
        allow_reentry: flags["allow-reentry"] ?? false,
        publish: flags.publish ?? false,
      },
    });
    this.log(describeWriteResult("Created", workflow).join("\n"));
    return workflow;
  }
}
