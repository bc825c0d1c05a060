/** `crm workflows enroll` */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, idFlag, placeFlags } from "../../terminal/input/flags.ts";

export default class WorkflowsEnroll extends CrmCommand {
  static override description = `Starts a run of a workflow for a contact.

Texts and filters of the workflow refer to the context as {{context.KEY}}.`;
  static override jsonResult = "the run as the API shows it";
  static override examples = [
    "<%= config.bin %> workflows enroll 1 --contact 12",
    `<%= config.bin %> workflows enroll 1 --contact 12 --context '{"plan":"pro"}' --json`,
    "<%= config.bin %> workflows enroll 1 --contact 12 --context @order.json",
  ];
  static override args = { id: idArgument("The workflow.") };
  static override flags = {
    ...placeFlags,
    contact: idFlag({ description: "The contact.", required: true }),
    context: Flags.string({
      description: "The context of the run: a JSON object, @FILE, or - for stdin.",
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
