/** `crm workflows enroll` */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, idFlag, placeFlags } from "../../terminal/input/flags.ts";

export default class WorkflowsEnroll extends CrmCommand {
  static override description = `Starts a run of a workflow for a contact.

The texts and filters of the workflow know the context as {{context.KEY}}.`;
  static override examples = [
    "<%= config.bin %> workflows enroll 1 --contact 12",
    `<%= config.bin %> workflows enroll 1 --contact 12 --context '{"plan":"pro"}' --json`,
    "<%= config.bin %> workflows enroll 1 --contact 12 --context @order.json",
  ];
  static override args = { id: idArgument("The workflow.") };
  static override flags = {
    ...placeFlags,
    contact: idFlag({ description: "Who goes through it.", required: true }),
    context: Flags.string({
      description: "What the run is to know: a JSON object, a file that holds one, or - for stdin.",
      helpValue: "JSON|@FILE|-",
    }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkflowsEnroll);
    const [{ enroll }, { readGivenJson }] = await Promise.all([
      import("../../src/crm/workflows/workflow-run.operations.ts"),
      import("../../terminal/input/given/given-json.ts"),
    ]);
    const run = await this.carryOut(enroll, flags, {
      workflow: args.id,
      input: {
        contact_id: flags.contact,
        context: flags.context === undefined ? undefined : await readGivenJson("context", flags.context),
      },
    });
    this.log(`Enrolled contact ${run.contact_id} in workflow ${run.workflow_id}: run ${run.id}.`);
    return run;
  }
}
