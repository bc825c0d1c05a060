/** `crm workflows try`: a dry run. */
import { Args, Flags } from "@oclif/core";
import type { DryRunStep } from "../../src/crm/workflows/dry-run/dry-run.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idFlag, placeFlags } from "../../terminal/input/flags.ts";
import { readDefinitionFile } from "../../terminal/input/given/definition.ts";

export default class WorkflowsTry extends CrmCommand {
  static override description = `Performs a dry run of a definition for a contact, on a clock that jumps from wait to wait, and prints what would happen and when.

Nothing is sent, posted or stored. The contact replies only with --reply; events never come, so waits for them time out. A definition with errors is refused as by crm workflows publish. No workflow
is needed, only the file.`;
  static override jsonResult =
    "{steps}, each with at, node, and one of did, took, waits (with until and event), ended (with error if it failed) and goes_on";
  static override examples = [
    "<%= config.bin %> workflows try welcome.json --contact 12",
    `<%= config.bin %> workflows try welcome.json --contact 12 --reply --context '{"form":"Offer"}' --json`,
  ];
  static override args = {
    file: Args.string({ description: "The definition: a JSON file, or - for stdin.", required: true }),
  };
  static override flags = {
    ...placeFlags,
    contact: idFlag({ description: "The contact.", required: true }),
    context: Flags.string({
      description: "The context of the run: a JSON object, or @FILE.",
      helpValue: "JSON|@FILE",
    }),
    reply: Flags.boolean({ description: "Let the contact reply to every wait for a reply." }),
  };

  static override fields = { definition: "file" };

  async run(): Promise<{ steps: readonly DryRunStep[] }> {
    const { args, flags } = await this.parse(WorkflowsTry);
    const [{ tryDefinition }, { tellSteps }, { readGivenJson }] = await Promise.all([
      import("../../src/crm/workflows/workflow.operations.ts"),
      import("../../terminal/output/workflows/dry-run-text.ts"),
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
