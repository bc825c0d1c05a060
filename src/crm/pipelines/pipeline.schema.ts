/** The input of a pipeline. */
import { z } from "zod";
import { color } from "../../kit/input/fields.ts";
import { name } from "../../kit/input/name.ts";
import { fold } from "../../kit/text.ts";
import { limits } from "../../vocabulary/limits.ts";
import { stageKinds } from "../../vocabulary/states.ts";

const stageInput = z.object({ name: name(), kind: z.enum(stageKinds), color: color() });

export const pipelineInput = z.object({
  name: name(),
  /** In pipeline order. */
  stages: z
    .array(stageInput)
    .min(1)
    .max(limits.pipelineStages)
    .refine((stages) => new Set(stages.map(({ name }) => fold(name))).size === stages.length, {
      error: "must not contain two stages with the same name.",
    }),
});

export type PipelineInput = z.output<typeof pipelineInput>;
