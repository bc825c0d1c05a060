/** `crm opportunities list` */
import { Flags } from "@oclif/core";
import type { OpportunityView } from "../../src/crm/opportunities/opportunity.view.ts";
import { stageKinds } from "../../src/vocabulary/states.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { countFlag, locationFlags, idFlag } from "../../terminal/input/flags.ts";
import { showCents } from "../../terminal/output/money.ts";
import { table } from "../../terminal/output/table.ts";

export default class OpportunitiesList extends CrmCommand {
  static override description = `Lists opportunities, newest first.

All given conditions must match. A stage is named by its id or its name.`;
  static override jsonResult = "a list of opportunities as the API shows them";

  static override examples = [
    "<%= config.bin %> opportunities list --status open",
    "<%= config.bin %> opportunities list --stage Proposal --owner-user-id 2",
    "<%= config.bin %> opportunities list --contact 12 --json",
  ];

  static override flags = {
    ...locationFlags,
    contact: idFlag({ description: "Only this contact." }),
    pipeline: idFlag({ description: "Only this pipeline." }),
    stage: Flags.string({ description: "Only this stage." }),
    "owner-user-id": idFlag({ description: "Only those owned by this user." }),
    status: Flags.option({ description: "Only this status.", options: stageKinds })(),
    limit: countFlag(10_000, { description: "How many to show at most.", default: 200 }),
  };

  async run(): Promise<OpportunityView[]> {
    const { flags } = await this.parse(OpportunitiesList);
    const { contact: contact_id, pipeline: pipeline_id, "owner-user-id": owner_user_id, status } = flags;
    const opportunities = await this.inLocation(flags, async (caller, { carryOut }) => {
      const [{ listOpportunities }, { allPages }, { chooseStage }] = await Promise.all([
        import("../../src/crm/opportunities/opportunity.operations.ts"),
        import("../../src/kit/page.ts"),
        import("../../terminal/input/choosing/choose-stage.ts"),
      ]);
      const stage_id =
        flags.stage === undefined ? undefined : (await chooseStage(caller, flags.stage, pipeline_id)).stage.id;
      const filters = { contact_id, pipeline_id, stage_id, owner_user_id, status };
      return allPages((page) => carryOut(listOpportunities, caller, { query: { ...filters, ...page } }), flags.limit);
    });
    const isNarrowed = [contact_id, pipeline_id, flags.stage, owner_user_id, status].some(
      (value) => value !== undefined,
    );
    const rows = opportunities.map(({ id, name, contact, stage, value_cents, owner }) => ({
      id,
      name,
      contact: contact === null ? null : `${contact.name} (${contact.id})`,
      stage: stage.name,
      value: showCents(value_cents),
      owner: owner?.name,
    }));
    this.log(
      table(rows, ["id", "name", "contact", "stage", "value", "owner"], {
        cuts: ["name", "contact", "stage", "owner"],
        none: isNarrowed
          ? "No opportunity matches."
          : "No opportunities yet. Create one: crm opportunities create --contact ID --name NAME",
      }),
    );
    return opportunities;
  }
}
