/** `crm opportunities move`: to another stage. */
import { Args } from "@oclif/core";
import type { OpportunityView } from "../../src/crm/opportunities/opportunity.view.ts";
import { Refusal } from "../../src/vocabulary/errors.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, placeFlags, idFlag } from "../../terminal/input/flags.ts";
import { opportunityFlags, toOpportunityFields } from "../../terminal/input/opportunity-flags.ts";
import { describeStanding, nameOpportunity } from "../../terminal/output/opportunity-text.ts";

export default class OpportunitiesMove extends CrmCommand {
  static override description = `Moves an opportunity to another stage, which decides whether it is open, won or lost.

STAGE is the id of a stage, or its name in the opportunity's own pipeline; --pipeline names another one. A lost stage needs --lost-reason.`;

  static override examples = [
    "<%= config.bin %> opportunities move 3 Won",
    '<%= config.bin %> opportunities move 3 lost --lost-reason "Too expensive" --json',
  ];

  static override args = {
    id: idArgument("The opportunity."),
    stage: Args.string({ description: "Where to, by its id or its name.", required: true }),
  };

  static override flags = {
    ...placeFlags,
    pipeline: idFlag({ description: "The pipeline of the stage." }),
    "lost-reason": opportunityFlags["lost-reason"],
  };

  async run(): Promise<OpportunityView> {
    const { args, flags } = await this.parse(OpportunitiesMove);
    return this.inLocation(flags, async (caller) => {
      const [
        { chooseStage },
        { findOpportunity },
        { updateOpportunity },
        { opportunityPatch },
        { toOpportunity },
        { readInput },
      ] = await Promise.all([
        import("../../terminal/input/choosing/choose-stage.ts"),
        import("../../src/crm/opportunities/opportunity.queries.ts"),
        import("../../src/crm/opportunities/opportunity.service.ts"),
        import("../../src/crm/opportunities/opportunity.schema.ts"),
        import("../../src/crm/opportunities/opportunity.view.ts"),
        import("../../src/kit/input/read-input.ts"),
      ]);
      const before = await findOpportunity(caller, args.id);
      if (before === undefined) throw new Refusal("opportunity.not_found");
      const { stage } = await chooseStage(caller, args.stage, flags.pipeline ?? before.pipeline_id);
      const input = readInput(opportunityPatch, { stage_id: stage.id, ...toOpportunityFields(flags) });
      const opportunity = toOpportunity(await caller.change((change) => updateOpportunity(change, args.id, input)));
      this.log(`Moved ${nameOpportunity(opportunity)}: ${describeStanding(opportunity)}.`);
      return opportunity;
    });
  }
}
