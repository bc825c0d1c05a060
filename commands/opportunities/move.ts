/** `crm opportunities move` */
import { Args } from "@oclif/core";
import type { OpportunityView } from "../../src/crm/opportunities/opportunity.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags, idFlag } from "../../terminal/input/flags.ts";
import { opportunityFlags, toOpportunityFields } from "../../terminal/input/opportunity-flags.ts";
import { describeStanding, nameOpportunity } from "../../terminal/output/opportunity-text.ts";

export default class OpportunitiesMove extends CrmCommand {
  static override description = `Moves an opportunity to another stage, which decides whether it is open, won or lost.

STAGE is the id of a stage, or its name in the opportunity's own pipeline; --pipeline names another pipeline. A lost stage requires --lost-reason.`;
  static override jsonResult = "the opportunity";

  static override examples = [
    "<%= config.bin %> opportunities move 3 Won",
    '<%= config.bin %> opportunities move 3 lost --lost-reason "Too expensive" --json',
  ];

  static override args = {
    id: idArgument("The opportunity."),
    stage: Args.string({ description: "The stage.", required: true }),
  };

  static override flags = {
    ...locationFlags,
    pipeline: idFlag({ description: "The pipeline of the stage." }),
    "lost-reason": opportunityFlags["lost-reason"],
  };

  async run(): Promise<OpportunityView> {
    const { args, flags } = await this.parse(OpportunitiesMove);
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const [{ chooseStage }, { getOpportunity, updateOpportunity }] = await Promise.all([
        import("../../terminal/input/choosing/choose-stage.ts"),
        import("../../src/crm/opportunities/opportunity.operations.ts"),
      ]);
      const before = await carryOut(getOpportunity, caller, { opportunity: args.id });
      const { stage } = await chooseStage(caller, args.stage, flags.pipeline ?? before.pipeline?.id);
      const input = { stage_id: stage.id, ...toOpportunityFields(flags) };
      const opportunity = await carryOut(updateOpportunity, caller, { opportunity: args.id, input });
      this.log(`Moved ${nameOpportunity(opportunity)}: ${describeStanding(opportunity)}.`);
      return opportunity;
    });
  }
}
