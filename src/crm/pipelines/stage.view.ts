/** A stage of a pipeline, as contacts and opportunities show it (specification, "Opportunity"). */
import { z } from "zod";

export const stageView = z
  .object({ id: z.int(), name: z.string(), kind: z.string(), color: z.string().nullable() })
  .meta({ id: "Stage", examples: [{ id: 1, name: "Qualification", kind: "open", color: null }] });
