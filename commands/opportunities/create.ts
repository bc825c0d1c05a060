/** `crm opportunities create` */
import { Flags } from "@oclif/core";
import type { OpportunityView } from "../../src/crm/opportunities/opportunity.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { customFieldFlag, readCustomValues } from "../../terminal/input/given/custom-values.ts";
import { locationFlags, idFlag } from "../../terminal/input/flags.ts";
import { opportunityFlags, toOpportunityFields } from "../../terminal/input/opportunity-flags.ts";
import { describeStanding, nameOpportunity } from "../../terminal/output/opportunity-text.ts";

export default class OpportunitiesCreate extends CrmCommand {
  static override description = `Creates an opportunity of a contact.

It starts in the first stage of the pipeline, unless --stage names another by id or name. --pipeline is optional if there is only one.`;
  static override jsonResult = "the opportunity as the API shows it";

  static override examples = [
    '<%= config.bin %> opportunities create --contact 12 --name "Difference engine" --value 12500',
    '<%= config.bin %> opportunities create --contact 12 --stage Lost --lost-reason "Too expensive" --json',
    "<%= config.bin %> opportunities create --contact 12 --value 9900 --field plan=Pro",
  ];

  static override flags = {
    ...locationFlags,
    contact: idFlag({ description: "The contact.", required: true }),
    pipeline: idFlag({ description: "The pipeline." }),
    stage: Flags.string({ description: "The stage." }),
    ...opportunityFlags,
    ...customFieldFlag,
  };

  async run(): Promise<OpportunityView> {
    const { flags } = await this.parse(OpportunitiesCreate);
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const [{ chooseStage }, { createOpportunity }] = await Promise.all([
        import("../../terminal/input/choosing/choose-stage.ts"),
        import("../../src/crm/opportunities/opportunity.operations.ts"),
      ]);
      const { pipeline, stage } = await chooseStage(caller, flags.stage, flags.pipeline);
      const given = { contact_id: flags.contact, pipeline_id: pipeline.id, stage_id: stage.id };
      const custom = await readCustomValues(caller, carryOut, "opportunity", flags.field);
      const input = { ...given, ...toOpportunityFields(flags), ...custom };
      const opportunity = await carryOut(createOpportunity, caller, { input });
      this.log(`Created ${nameOpportunity(opportunity)}: ${describeStanding(opportunity)}.`);
      return opportunity;
    });
  }
}
