/** `crm workflows create`: a workflow from a file. */
import { Args, Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { placeFlags } from "../../terminal/input/flags.ts";
import { fileFlag, readDefinitionFile } from "../../terminal/input/given/definition.ts";
import { tellWritten } from "../../terminal/output/workflows/told.ts";

export default class WorkflowsCreate extends CrmCommand {
  static override description = `Makes a workflow from a definition in JSON.

It is a draft, which may be anything: what keeps it from being published is told. With --publish it is published as well, or, where
something is wrong with it, not made at all. docs/workflows.md says what a definition may hold; crm workflows schema prints its
JSON Schema, for editors.`;
  static override examples = [
    "<%= config.bin %> workflows create Welcome --file welcome.json",
    "<%= config.bin %> workflows create Welcome --file welcome.json --publish --allow-reentry --json",
  ];
  static override args = { name: Args.string({ description: "What to call it.", required: true }) };
  static override flags = {
    ...placeFlags,
    file: { ...fileFlag, required: true },
    publish: Flags.boolean({ description: "Publish it at once." }),
    "allow-reentry": Flags.boolean({ description: "A contact may go through it several times at once." }),
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
    this.log(tellWritten("Created", workflow).join("\n"));
    return workflow;
  }
}
