/** The input of a pipeline. */
import { z } from "zod";
import { color, nullableId } from "../../kit/input/fields.ts";
import { name } from "../../kit/input/name.ts";
import { fold } from "../../kit/text.ts";
import { limits } from "../../vocabulary/limits.ts";
import { stageKinds } from "../../vocabulary/states.ts";

const stageInput = z.object({ name: name(), kind: z.enum(stageKinds), color: color() });

/** In pipeline order. */
function stageList<Stage extends z.ZodType<{ readonly name: string }>>(stage: Stage) {
  return z
    .array(stage)
    .min(1)
    .max(limits.pipelineStages)
    .refine((stages) => new Set(stages.map(({ name }) => fold(name))).size === stages.length, {
      error: "must not contain two stages with the same name.",
    });
}

export const pipelineInput = z.object({ name: name(), stages: stageList(stageInput) }).meta({
  examples: [
    {
      name: "Renewals",
      stages: [
        { name: "Due", kind: "open" },
        { name: "Renewed", kind: "won", color: "#27ae60" },
      ],
    },
  ],
});

export type PipelineInput = z.output<typeof pipelineInput>;

const changedStage = stageInput.extend({
  id: nullableId().describe("The stage that stays, under this name and at this place; null for a new one."),
});

export const pipelinePatch = z
  .object({
    name: name().optional(),
    stages: stageList(changedStage)
      .optional()
      .describe("Every stage, in order. Stages of the pipeline that are not among them are removed."),
    move_to: nullableId().describe("The remaining stage that receives the opportunities of removed stages."),
  })
  .refine(({ stages, move_to: moveTo }) => stages !== undefined || typeof moveTo !== "number", {
    path: ["move_to"],
    error: "takes the opportunities of removed stages: give the stages that remain, too.",
  })
  .meta({
    examples: [
      {
        name: "New business",
        stages: [
          { id: 1, name: "Qualification", kind: "open" },
          { id: 2, name: "Won", kind: "won" },
        ],
        move_to: 1,
      },
    ],
  });

export type PipelinePatch = z.output<typeof pipelinePatch>;
