/** `crm pipelines list` */
import { CrmCommand } from "../../terminal/command.ts";
import { locationFlags } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class PipelinesList extends CrmCommand {
  static override description = "Lists the pipelines of a location, one line per stage.";
  static override jsonResult = "[{id, name, stages: [{id, name, kind, color}]}]";
  static override examples = ["<%= config.bin %> pipelines list", "<%= config.bin %> pipelines list --json"];
  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { flags } = await this.parse(PipelinesList);
    const { listPipelines } = await import("../../src/crm/pipelines/pipeline.operations.ts");
    const pipelines = await this.listAll(listPipelines, flags);
    const rows = pipelines.flatMap(({ id, name, stages }) =>
      stages.map((stage) => ({ pipeline: `${name} (${id})`, id: stage.id, stage: stage.name, kind: stage.kind })),
    );
    this.log(
      table(rows, ["pipeline", "id", "stage", "kind"], {
        cuts: ["pipeline", "stage"],
        none: "No pipelines yet. Create one: crm pipelines create NAME --stage STAGE",
      }),
    );
    return pipelines;
  }
}
