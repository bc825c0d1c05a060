/** `crm pipelines update` */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { idArgument, idFlag, locationFlags } from "../../terminal/input/flags.ts";
import { readChangedStage } from "../../terminal/input/stage.ts";
import { printable } from "../../terminal/output/table.ts";

export default class PipelinesUpdate extends CrmCommand {
  static override description = `Renames a pipeline, or replaces its stages, in the given order.

Give every stage: NAME or NAME:KIND keeps the stage of that name or adds one, and ID=NAME renames one. Stages that are not given are removed; --move-to names the stage that receives their opportunities. The kind of a stage cannot change.`;
  static override jsonResult = "{id, name, stages: [{id, name, kind, color}]}";
  static override examples = [
    '<%= config.bin %> pipelines update 1 --name "New business"',
    '<%= config.bin %> pipelines update 1 --stage "3=Offer" --stage Won --move-to 3',
  ];
  static override args = { id: idArgument("The pipeline.") };
  static override flags = {
    ...locationFlags,
    name: Flags.string({ description: "Its name." }),
    stage: Flags.string({
      description: "A stage, repeatable.",
      helpValue: "NAME:KIND",
      multiple: true,
      multipleNonGreedy: true,
    }),
    "move-to": idFlag({ description: "The stage that receives the opportunities of removed stages." }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(PipelinesUpdate);
    const { name, stage: given, "move-to": moveTo } = flags;
    if (name === undefined && given === undefined)
      throw new WrongUsage("Nothing to change: give --name or every --stage.");
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const [{ updatePipeline }, { findPipeline }] = await Promise.all([
        import("../../src/crm/opportunities/pipeline-change.operations.ts"),
        import("../../src/crm/pipelines/pipeline.queries.ts"),
      ]);
      const known = (await findPipeline(caller, args.id))?.stages ?? [];
      const stages = given?.map((text) => readChangedStage(text, known));
      const input = { name, stages, move_to: moveTo };
      const pipeline = await carryOut(updatePipeline, caller, { pipeline: args.id, input });
      const names = pipeline.stages.map((stage) => `${printable(stage.name)} (${stage.id})`).join(", ");
      this.log(`Updated pipeline ${pipeline.id} (${printable(pipeline.name)}): ${names}.`);
      return pipeline;
    });
  }
}
