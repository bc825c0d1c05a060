/** `crm workflows update`: another definition, another name. */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { idArgument, placeFlags } from "../../terminal/input/flags.ts";
import { fileFlag, readDefinitionFile } from "../../terminal/input/given/definition.ts";

export default class WorkflowsUpdate extends CrmCommand {
  static override description = `Changes a workflow. The name and re-entry count at once.

A new definition is a draft until it is published; with --publish it is published as well, or, where something is wrong with it, nothing is
changed. Runs that have begun keep the version that they began with.`;
  static override examples = [
    "<%= config.bin %> workflows update 1 --file welcome.json --publish",
    '<%= config.bin %> workflows update 1 --name "Welcome back" --no-allow-reentry --json',
  ];
  static override args = { id: idArgument("The workflow.") };
  static override flags = {
    ...placeFlags,
    file: fileFlag,
    name: Flags.string({ description: "What to call it." }),
    publish: Flags.boolean({ description: "Publish the definition at once." }),
    "allow-reentry": Flags.boolean({
      description: "Whether a contact may go through it several times at once.",
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
      throw new WrongUsage("Nothing to change was given: name at least one of --file, --name and --allow-reentry.");
    const [{ readInput }, { workflowPatch }, { updateWorkflow }, { getDraft }, { writeWorkflow }] = await Promise.all([
      import("../../src/kit/input/read-input.ts"),
      import("../../src/crm/workflows/workflow.schema.ts"),
      import("../../src/crm/workflows/workflow.service.ts"),
      import("../../src/crm/workflows/workflow.queries.ts"),
      import("../../terminal/write-workflow.ts"),
    ]);
    const patch = readInput(workflowPatch, given);
    return this.inLocation(flags, async (caller, service) => {
      const written = await writeWorkflow(caller, service.outside, {
        draft: patch.definition ?? (await getDraft(caller, args.id)),
        publish: flags.publish ?? false,
        write: (change) => updateWorkflow(change, args.id, patch),
      });
      this.log(written.told("Updated").join("\n"));
      return written.answer;
    });
  }
}
