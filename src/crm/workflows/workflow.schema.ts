/** The input of workflows. */
import { z } from "zod";
import { flag, nullableId } from "../../kit/input/fields.ts";
import { jsonObject } from "../../kit/input/json-object.ts";
import { name } from "../../kit/input/name.ts";
import { eventNames } from "../../vocabulary/events.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { limits } from "../../vocabulary/limits.ts";
import { enrollmentContext } from "../workflow-runs/workflow-run.schema.ts";
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

/** An event as a webhook receives it, or as POST /events accepts it. */
const triedEvent = z.object({
  event: z.enum(eventNames as readonly [EventName, ...EventName[]]),
  contact_id: nullableId(),
  data: jsonObject({ bytes: limits.workflowRun.contextBytes, depth: limits.workflowRun.contextDepth, reserved: [] }),
});

/** A dry run of any definition, or of a workflow: for a contact, or for an event, whose trigger is then judged too. */
export const dryRunInput = z.object({
  definition: draftSchema.shape.definition.optional().describe("Or `workflow_id`."),
  workflow_id: nullableId().describe("Its published definition, or its draft if it has none."),
  contact_id: nullableId().describe("Default: the contact of the event."),
  event: triedEvent.optional(),
  event_id: nullableId().describe("An event of the log, in place of `event`."),
  context: enrollmentContext,
  reply: flag().describe("Whether the contact replies to every wait for a reply."),
});

export type DryRunInput = z.output<typeof dryRunInput>;
