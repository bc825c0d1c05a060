/** `crm opportunities show` */
import type { OpportunityView } from "../../src/crm/opportunities/opportunity.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { details } from "../../terminal/output/details.ts";
import { showMoment } from "../../terminal/output/moments.ts";
import { showCents } from "../../terminal/output/money.ts";
import { describeCustomFields } from "../../terminal/output/records/custom-fields-text.ts";
import { nameOpportunity } from "../../terminal/output/opportunity-text.ts";

export default class OpportunitiesShow extends CrmCommand {
  static override description = "Shows an opportunity.";
  static override jsonResult = "the opportunity as the API shows it";
  static override examples = [
    "<%= config.bin %> opportunities show 3",
    "<%= config.bin %> opportunities show 3 --json",
  ];
  static override args = { id: idArgument("The opportunity.") };
  static override flags = locationFlags;

  async run(): Promise<OpportunityView> {
    const { args, flags } = await this.parse(OpportunitiesShow);
    const { getOpportunity } = await import("../../src/crm/opportunities/opportunity.operations.ts");
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const opportunity = await carryOut(getOpportunity, caller, { opportunity: args.id });
      this.log(describe(opportunity, caller.location.timezone));
      return opportunity;
    });
  }
}

function describe(opportunity: OpportunityView, timeZone: string): string {
  const { contact, pipeline, stage, value_cents, owner, lost_reason } = opportunity;
  const moment = (timestamp: string | null) => showMoment(timestamp, timeZone);
  const [head = "", ...name] = nameOpportunity(opportunity);
  return details(head.toUpperCase() + name.join(""), {
    contact: contact && `${contact.name} (${contact.id})`,
    stage: `${stage.name} of ${pipeline?.name}`,
    value: showCents(value_cents),
    owner: owner && `${owner.name} (${owner.id})`,
    "lost because": lost_reason,
    "in this stage since": moment(opportunity.stage_entered_at),
    "closed at": moment(opportunity.closed_at),
    "created at": moment(opportunity.created_at),
    "updated at": moment(opportunity.updated_at),
    ...describeCustomFields(opportunity.custom_fields),
  });
}
