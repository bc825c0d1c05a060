/** The input of workflows. */
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

/** Fields that are left out stay unchanged. */
export const workflowPatch = workflowInput.partial();

export type WorkflowPatch = z.output<typeof workflowPatch>;

/** All or nothing: a definition that cannot be published is not written either. */
const publish = flag().describe("Publishes the definition in the same transaction.");

export const newWorkflowInput = workflowInput.extend({ publish });

export const changedWorkflowInput = workflowPatch.extend({ publish });

/** A dry run of any definition, whether or not it belongs to a workflow. */
export const dryRunInput = z.object({
  ...draftSchema.shape,
  ...enrollInput.shape,
  reply: flag().describe("Whether the contact replies to every wait for a reply."),
});
