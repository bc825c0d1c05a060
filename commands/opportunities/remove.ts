/** `crm opportunities remove` */
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, locationFlags, yesFlag } from "../../terminal/input/flags.ts";

export default class OpportunitiesRemove extends CrmCommand {
  static override description = "Deletes an opportunity.";
  static override jsonResult = "{id, removed}";
  static override examples = [
    "<%= config.bin %> opportunities remove 3",
    "<%= config.bin %> opportunities remove 3 --yes --json",
  ];
  static override args = { id: idArgument("The opportunity.") };
  static override flags = { ...locationFlags, ...yesFlag };

  async run(): Promise<{ id: number; removed: true }> {
    const { args, flags } = await this.parse(OpportunitiesRemove);
    await confirm(`remove opportunity ${args.id}`, flags);
    const { deleteOpportunity } = await import("../../src/crm/opportunities/opportunity.operations.ts");
    await this.carryOut(deleteOpportunity, flags, { opportunity: args.id });
    this.log(`Removed opportunity ${args.id}.`);
    return { id: args.id, removed: true };
  }
}
