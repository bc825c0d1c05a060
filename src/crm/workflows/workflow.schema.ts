/** What comes in for a workflow, which the terminal alone makes. */
import { z } from "zod";
import { flag, text } from "../../kit/input/fields.ts";
import { limits } from "../../vocabulary/limits.ts";
import { draftSchema } from "./definition/read-definition.ts";

export const workflowInput = z.object({
  name: text(limits.name),
  ...draftSchema.shape,
  allow_reentry: flag(),
});

export type WorkflowInput = z.output<typeof workflowInput>;

/** What is left out stays as it is. */
export const workflowPatch = workflowInput.partial();

export type WorkflowPatch = z.output<typeof workflowPatch>;
