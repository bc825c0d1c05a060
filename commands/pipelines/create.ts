/** `crm pipelines create` */
import { Args, Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { locationFlags } from "../../terminal/input/flags.ts";
import { readStage } from "../../terminal/input/stage.ts";
import { printable } from "../../terminal/output/table.ts";

export default class PipelinesCreate extends CrmCommand {
  static override description = `Creates a pipeline with its stages, in the given order.

A stage is NAME:KIND, where KIND is open, won or lost, or NAME:KIND:COLOR with a color such as #27ae60. A NAME alone is an open stage.`;
  static override jsonResult = "{id, name, stages: [{id, name, kind, color}]}";

  static override examples = [
    '<%= config.bin %> pipelines create "Renewals" --stage "Due:open" --stage "Renewed:won" --stage "Left:lost"',
    '<%= config.bin %> pipelines create "Repairs" --stage Inspection --stage "Done:won:#27ae60" --location 2 --json',
  ];

  static override args = { name: Args.string({ description: "Its name.", required: true }) };

  static override flags = {
    ...locationFlags,
    stage: Flags.string({
      description: "A stage, repeatable.",
      helpValue: "NAME:KIND",
      required: true,
      multiple: true,
      multipleNonGreedy: true,
    }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(PipelinesCreate);
    const stages = flags.stage.map(readStage);
    const { createPipeline } = await import("../../src/crm/pipelines/pipeline.operations.ts");
    const pipeline = await this.carryOut(createPipeline, flags, { input: { name: args.name, stages } });
    const names = pipeline.stages.map(({ id, name }) => `${printable(name)} (${id})`).join(", ");
    this.log(`Created pipeline ${pipeline.id} (${printable(pipeline.name)}): ${names}.`);
    return pipeline;
  }
}
