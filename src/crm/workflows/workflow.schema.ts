/** What comes in for a workflow. */
import { z } from "zod";
import { flag } from "../../kit/input/fields.ts";
import { name } from "../../kit/input/name.ts";
import { enrollInput } from "../workflow-runs/workflow-run.schema.ts";
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

/** All of it or nothing: what cannot be published is not written either. */
const publish = flag().describe("Publishes the definition in the same transaction.");

export const newWorkflowInput = workflowInput.extend({ publish });

export const changedWorkflowInput = workflowPatch.extend({ publish });

/** A dry run: of a definition that need not be one of a workflow. */
export const dryRunInput = z.object({
  ...draftSchema.shape,
  ...enrollInput.shape,
  reply: flag().describe("Whether the contact replies to every wait for a reply."),
});
