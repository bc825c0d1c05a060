/** The response shape of a pipeline (extension: the specification shows pipelines only inside opportunities). */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { readJson } from "../../storage/json.ts";
import { stageSpecimen, stageView } from "./stage.view.ts";
import type { StageView } from "./stage.view.ts";

/** An example pipeline. */
const pipelineSpecimen = {
  id: 1,
  name: "Sales",
  stages: [stageSpecimen, { id: 2, name: "Won", kind: "won" as const, color: "#27ae60" }],
};

export const pipelineView = z
  .object({
    id: z.int(),
    name: z.string(),
    stages: z.array(stageView).describe("The stages, in pipeline order."),
  })
  .meta({ id: "Pipeline", description: "A pipeline with its stages.", examples: [pipelineSpecimen] });

export type PipelineView = z.output<typeof pipelineView>;

export const pipelineListView = pageOf(pipelineView).meta({
  id: "PipelineList",
  description: "A page of pipelines, oldest first.",
});

export interface PipelineRow {
  readonly id: number;
  readonly name: string;
  /** A list, or its JSON. */
  readonly stages: readonly StageView[] | string;
}

export function toPipeline({ id, name, stages }: PipelineRow): PipelineView {
  return { id, name, stages: readJson<StageView>(stages) };
}
