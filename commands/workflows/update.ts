/** `crm workflows update` */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { fileFlag, readDefinitionFile } from "../../terminal/input/given/definition.ts";
import { describeWriteResult } from "../../terminal/output/workflows/write-result.ts";

export default class WorkflowsUpdate extends CrmCommand {
  static override description = `Changes a workflow. The name and re-entry apply at once.

A new definition is a draft until it is published; with --publish it is also published, or, if it contains errors, nothing changes. Existing runs keep their version.`;
  static override jsonResult = "as crm workflows create";
  static override examples = [
    "<%= config.bin %> workflows update 1 --file welcome.json --publish",
    '<%= config.bin %> workflows update 1 --name "Welcome back" --no-allow-reentry --json',
  ];
  static override args = { id: idArgument("The workflow.") };
  static override flags = {
    ...locationFlags,
    file: fileFlag,
    name: Flags.string({ description: "Its name." }),
    publish: Flags.boolean({ description: "Publish the definition at once." }),
    "allow-reentry": Flags.boolean({
      description: "Whether to allow several concurrent runs per contact.",
      allowNo: true,
    }),
  };

  static override fields = { definition: "file" };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkflowsUpdate);
    const given = {
      name: flags.name,
      definition: flags.file === undefined ? undefined : await readDefinitionFile(flags.file),
      allow_reentry: flags["allow-reentry"],
    };
    if (Object.values(given).every((value) => value === undefined))
      throw new WrongUsage("Nothing to change: give at least one of --file, --name and --allow-reentry.");
    const { updateWorkflow } = await import("../../src/crm/workflows/workflow.operations.ts");
    const workflow = await this.carryOut(updateWorkflow, flags, {
      workflow: args.id,
      input: { ...given, publish: flags.publish ?? false },
    });
    this.log(describeWriteResult("Updated", workflow).join("\n"));
    return workflow;
  }
}
