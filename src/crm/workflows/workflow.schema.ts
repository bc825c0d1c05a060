/** The input of workflows. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { flag, nullableId } from "../../kit/input/fields.ts";
import { jsonObject } from "../../kit/json/json-field.ts";
import { name } from "../../kit/input/name.ts";
import { eventNames } from "../../vocabulary/events.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { limits } from "../../vocabulary/limits.ts";
import { enrollmentContext } from "../workflow-runs/workflow-run.schema.ts";
import { headerValue, secretKey } from "./definition/post-headers.ts";
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

export const newWorkflowInput = creation({ ...workflowInput.shape, publish }).meta({
  examples: [
    {
      name: "Welcome",
      definition: { entry: "greet", nodes: { greet: { type: "add_note", body: "Hello {{contact.first_name}}" } } },
      publish: true,
    },
  ],
});

export const changedWorkflowInput = workflowPatch.extend({ publish });

const origin = z
  .string({ error: "is required." })
  .refine((value) => originOf(value) !== undefined, {
    error: "must be the scheme, host and port of a URL, such as https://gateway.example.com.",
  })
  .transform((value) => originOf(value)!)
  .meta({ format: "uri", examples: ["https://gateway.example.com"] });

/** Without path, query and credentials, which would not bind it further. */
function originOf(value: string): string | undefined {
  if (value.length > limits.workflow.url || !URL.canParse(value)) return undefined;
  const { protocol, origin: read, href } = new URL(value);
  return (protocol === "https:" || protocol === "http:") && href === `${read}/` ? read : undefined;
}

export const workflowSecretInput = creation({
  key: secretKey.describe("How headers name it: {{secret.KEY}}."),
  value: headerValue.nullable().describe("Stored encrypted, and never shown. null removes the secret."),
  origin: origin.optional().describe("The only address that it is sent to. Required with a value."),
}).meta({ examples: [{ key: "gateway", value: "a-key-of-the-gateway", origin: "https://gateway.example.com" }] });

/** An event as a webhook receives it, or as POST /events accepts it. */
const triedEvent = z.object({
  event: z.enum(eventNames as readonly [EventName, ...EventName[]]),
  contact_id: nullableId(),
  data: jsonObject({ bytes: limits.workflowRun.contextBytes, depth: limits.workflowRun.contextDepth, reserved: [] }),
});

/** A dry run of any definition, or of a workflow: for a contact, or for an event, whose trigger is then judged too. */
export const dryRunInput = creation({
  definition: draftSchema.shape.definition.optional().describe("Or `workflow_id`."),
  workflow_id: nullableId().describe("Its published definition, or its draft if it has none."),
  contact_id: nullableId().describe("Default: the contact of the event."),
  event: triedEvent.optional(),
  event_id: nullableId().describe("An event of the log, in place of `event`."),
  context: enrollmentContext,
  reply: flag().describe("Whether the contact replies to every wait for a reply."),
});

/** A dry run of one workflow. */
export const workflowDryRunInput = dryRunInput.omit({ workflow_id: true }).extend({
  definition: dryRunInput.shape.definition.describe("Default: its published definition, or its draft if it has none."),
});

export type DryRunInput = z.output<typeof dryRunInput>;
