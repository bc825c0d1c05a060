/** A stage of a pipeline, as contacts and opportunities show it (specification, "Opportunity"). */
import { z } from "zod";
import { stageKinds } from "../../vocabulary/states.ts";

/** An example stage. */
export const stageSpecimen = { id: 1, name: "Qualification", kind: "open" as const, color: null };

export const stageView = z
  .object({ id: z.int(), name: z.string(), kind: z.enum(stageKinds), color: z.string().nullable() })
  .meta({ id: "Stage", examples: [stageSpecimen] });

export type StageView = z.output<typeof stageView>;
