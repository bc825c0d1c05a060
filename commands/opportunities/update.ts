/** `crm opportunities update` */
import type { OpportunityView } from "../../src/crm/opportunities/opportunity.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { customFieldFlag, readCustomValues } from "../../terminal/input/given/custom-values.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { opportunityFlags, toOpportunityFields } from "../../terminal/input/opportunity-flags.ts";
import { describeStanding, nameOpportunity } from "../../terminal/output/opportunity-text.ts";

export default class OpportunitiesUpdate extends CrmCommand {
  static override description =
    "Changes the given fields of an opportunity; an empty name clears it. crm opportunities move changes its stage.";
  static override jsonResult = "the opportunity";
  static override examples = [
    "<%= config.bin %> opportunities update 3 --value 14,000.00",
    '<%= config.bin %> opportunities update 3 --name "Analytical engine" --owner-user-id 2 --json',
    "<%= config.bin %> opportunities update 3 --field plan=Basic",
  ];
  static override args = { id: idArgument("The opportunity.") };
  static override flags = { ...locationFlags, ...opportunityFlags, ...customFieldFlag };

  async run(): Promise<OpportunityView> {
    const { args, flags } = await this.parse(OpportunitiesUpdate);
    const fields = toOpportunityFields(flags);
    if (Object.keys(fields).length === 0 && flags.field === undefined) {
      throw new WrongUsage("Nothing to change: give at least one field, such as --value.");
    }
    const { updateOpportunity } = await import("../../src/crm/opportunities/opportunity.operations.ts");
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const input = { ...fields, ...(await readCustomValues(caller, carryOut, "opportunity", flags.field)) };
      const opportunity = await carryOut(updateOpportunity, caller, { opportunity: args.id, input });
      this.log(`Updated ${nameOpportunity(opportunity)}: ${describeStanding(opportunity)}.`);
      return opportunity;
    });
  }
}
