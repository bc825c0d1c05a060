/** `crm workflows try`: what a workflow would do for a contact, and when. */
import { Args, Flags } from "@oclif/core";
import type { TrialStep } from "../../src/crm/workflows/trial/trial.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idFlag, placeFlags } from "../../terminal/input/flags.ts";
import { readDefinitionFile } from "../../terminal/input/given/definition.ts";

export default class WorkflowsTry extends CrmCommand {
  static override description = `Runs a definition dry for a contact, on a clock that jumps, and prints what would have been done and when.

Nothing is sent, posted or kept. The contact never answers, unless --reply is given; events never come, so that waits for one
end with their timeout. Needs no workflow: a file will do. What would keep it from being published is told instead.`;
  static override examples = [
    "<%= config.bin %> workflows try welcome.json --contact 12",
    `<%= config.bin %> workflows try welcome.json --contact 12 --reply --context '{"form":"Offer"}' --json`,
  ];
  static override args = {
    file: Args.string({ description: "The definition: a file of JSON, or - for stdin.", required: true }),
  };
  static override flags = {
    ...placeFlags,
    contact: idFlag({ description: "Who would go through it.", required: true }),
    context: Flags.string({
      description: "What the run is to know: a JSON object, or a file that holds one.",
      helpValue: "JSON|@FILE",
    }),
    reply: Flags.boolean({ description: "As if the contact answered whenever the run waits for it." }),
  };

  static override fields = { definition: "file" };

  async run(): Promise<{ steps: readonly TrialStep[] }> {
    const { args, flags } = await this.parse(WorkflowsTry);
    const [{ tryDefinition }, { tellSteps }, { readGivenJson }] = await Promise.all([
      import("../../src/crm/workflows/workflow.operations.ts"),
      import("../../terminal/output/workflows/trial-text.ts"),
      import("../../terminal/input/given/given-json.ts"),
    ]);
    const input = {
      definition: await readDefinitionFile(args.file, "FILE"),
      contact_id: flags.contact,
      context: flags.context === undefined ? undefined : await readGivenJson("context", flags.context),
      reply: flags.reply ?? false,
    };
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const { steps } = await carryOut(tryDefinition, caller, { input });
      this.log(tellSteps(steps, caller.location.timezone).join("\n"));
      return { steps };
    });
  }
}
