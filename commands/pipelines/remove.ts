/** `crm pipelines remove` */
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, locationFlags, yesFlag } from "../../terminal/input/flags.ts";

export default class PipelinesRemove extends CrmCommand {
  static override description = "Deletes a pipeline without opportunities; a location keeps at least one.";
  static override jsonResult = "{id, removed}";
  static override examples = [
    "<%= config.bin %> pipelines remove 2",
    "<%= config.bin %> pipelines remove 2 --yes --json",
  ];
  static override args = { id: idArgument("The pipeline.") };
  static override flags = { ...locationFlags, ...yesFlag };

  async run(): Promise<{ id: number; removed: true }> {
    const { args, flags } = await this.parse(PipelinesRemove);
    await confirm(`remove pipeline ${args.id}`, flags);
    const { deletePipeline } = await import("../../src/crm/opportunities/pipeline-change.operations.ts");
    await this.carryOut(deletePipeline, flags, { pipeline: args.id });
    this.log(`Removed pipeline ${args.id}.`);
    return { id: args.id, removed: true };
  }
}
