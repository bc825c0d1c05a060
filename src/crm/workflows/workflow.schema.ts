/** What comes in for a workflow, which the terminal alone makes. */
import { z } from "zod";
import { flag } from "../../kit/input/fields.ts";
import { name } from "../../kit/input/name.ts";
import { draftSchema } from "./definition/read-definition.ts";

export const workflowInput = z.object({
  name: name(),
  ...draftSchema.shape,
  allow_reentry: flag(),
});

export type WorkflowInput = z.output<typeof workflowInput>;

/** What is left out stays as it is. */
export const workflowPatch = workflowInput.partial();

export type WorkflowPatch = z.output<typeof workflowPatch>;
