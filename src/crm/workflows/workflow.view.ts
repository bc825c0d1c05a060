/** The output of workflows. */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import { limits } from "../../vocabulary/limits.ts";
import { workflowStatuses } from "../../vocabulary/states.ts";
import type { WorkflowStatus } from "../../vocabulary/states.ts";
import type { WorkflowDefinition } from "./definition/definition.schema.ts";

const workflowSpecimen = {
  id: 1,
  name: "Welcome",
  status: "published" as const,
  allow_reentry: false,
  version: 2,
  trigger_event: "form.submitted",
  created_at: "2026-03-01T12:00:00.000Z",
  updated_at: "2026-03-01T12:00:00.000Z",
};

const countsSpecimen = {
  started: 12,
  filtered: 3,
  reentered: 1,
  too_deep: 0,
  imported: 0,
  throttled: 0,
  without_contact: 2,
  automatic: 0,
};

/** An example definition. */
const definitionSpecimen = {
  entry: "greet",
  trigger: { event: "form.submitted" },
  nodes: { greet: { type: "add_note", body: "Hello {{contact.first_name}}" } },
};

const workflowView = z
  .object({
    id: z.int(),
    name: z.string(),
    status: z.enum(workflowStatuses),
    allow_reentry: z.boolean().describe("Whether a contact may have several active runs."),
    version: z.int().nullable().describe("The version that new runs use; null while unpublished."),
    trigger_event: z
      .string()
      .nullable()
      .describe("The event that enrolls its contact; null without a trigger, and for a draft."),
    throttled_at: z.iso
      .datetime()
      .optional()
      .describe(
        "When a run of it was last refused because it starts too many, by a chain of runs or for one contact within a minute; left out if none was.",
      ),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Workflow", description: "An automated sequence of steps for contacts.", examples: [workflowSpecimen] });

export type WorkflowView = z.output<typeof workflowView>;

const triggerCounts = z
  .object({
    started: z.int().describe("Events that started a run."),
    filtered: z.int().describe("Events that the filter refused."),
    reentered: z.int().describe("Events whose contact had an active run already, or too many of all workflows."),
    too_deep: z.int().describe("Events at the end of a chain of workflows that start each other."),
    imported: z.int().describe("Events of imports, which the trigger passes over."),
    throttled: z.int().describe("Events, and nodes of other workflows, that would have started too many runs."),
    without_contact: z.int().describe("Events without a contact, such as a message from an unknown number."),
    automatic: z.int().describe("Automatic messages, such as out-of-office replies."),
  })
  .describe("What became of the trigger's events today and in the six days before, in UTC.");

export const workflowListView = pageOf(
  workflowView.extend({ last_7_days: triggerCounts }).meta({
    id: "WorkflowItem",
    description: "A workflow in the list, with what became of the events of its trigger.",
    examples: [{ ...workflowSpecimen, last_7_days: countsSpecimen }],
  }),
).meta({
  id: "WorkflowList",
  description: "A page of workflows, oldest first.",
});

const workflowSecret = z.object({
  key: z.string(),
  origin: z.string().describe("The only address that it is sent to."),
});

export const workflowSecretsView = z.object({ data: z.array(workflowSecret) }).meta({
  id: "WorkflowSecrets",
  description: "The secrets of a workflow, without their values.",
  examples: [{ data: [{ key: "gateway", origin: "https://gateway.example.com" }] }],
});

/** Its nodes take many forms, which /docs and workflow.schema.json describe. */
const publishedDefinition = z.record(z.string(), z.unknown()) as unknown as z.ZodType<WorkflowDefinition>;

/** A workflow with its definitions. */
export const workflowDetailView = workflowView
  .extend({
    draft: z.record(z.string(), z.unknown()).describe("The definition that is published next."),
    definition: publishedDefinition.nullable().describe("The definition that new runs use; null while unpublished."),
    active_runs: z
      .record(z.string(), z.int())
      .describe(
        `The number of active runs at each node, among the newest ${limits.workflowRun.counted.toLocaleString("en")} that are active and as many that wait.`,
      ),
    has_secret: z
      .boolean()
      .describe("Whether its posts are signed; POST /workflows/{id}/rotate-secret generates the secret."),
    secrets: z.array(workflowSecret).describe("The secrets of its headers, without their values."),
    last_7_days: triggerCounts,
  })
  .meta({
    id: "WorkflowDetail",
    description: "A workflow with its definitions.",
    examples: [
      {
        ...workflowSpecimen,
        draft: definitionSpecimen,
        definition: definitionSpecimen,
        active_runs: { greet: 1 },
        has_secret: false,
        secrets: [],
        last_7_days: countsSpecimen,
      },
    ],
  });

export type WorkflowDetailView = z.output<typeof workflowDetailView>;

const warnings = z.array(z.string()).describe("Likely mistakes that do not prevent publishing.");
const faults = z.record(z.string(), z.array(z.string())).describe("What prevents the draft from being published.");

export const draftJudgementView = z.object({ faults, warnings });

export const publishedWorkflowView = workflowView.extend({ warnings }).meta({
  id: "PublishedWorkflow",
  description: "A workflow that was published.",
  examples: [{ ...workflowSpecimen, warnings: [] }],
});

/** `faults` unless it was to be published. */
export const writtenWorkflowView = publishedWorkflowView.extend({ faults: faults.optional() }).meta({
  id: "WrittenWorkflow",
  description: "A workflow that was written.",
  examples: [{ ...workflowSpecimen, status: "draft", version: null, trigger_event: null, warnings: [], faults: {} }],
});

export type WrittenWorkflowView = z.output<typeof writtenWorkflowView>;

export const unpublishedWorkflowView = workflowView
  .extend({
    ended: z.int().describe("The number of runs that ended."),
  })
  .meta({
    id: "UnpublishedWorkflow",
    description: "A workflow that was unpublished.",
    examples: [{ ...workflowSpecimen, status: "draft", version: null, trigger_event: null, ended: 3 }],
  });

export const rotatedSecretView = z
  .object({
    id: z.int(),
    secret: z.string().describe("It is shown only once."),
    old_secret_until: z.iso.datetime().nullable().describe("Until when the old one also signs."),
  })
  .meta({
    id: "RotatedWorkflowSecret",
    description: "The new secret that signs the posts of a workflow.",
    examples: [{ id: 1, secret: "whsec_Jm3nq0bX9vW2cR5tY8uZ1aS4dF7gH6kLpQ0eT3iO9wE", old_secret_until: null }],
  });

export const enrolledPieceView = z.object({
  enrolled: z.int(),
  passed_over: z.int().describe("They match, and have been in the workflow before."),
  refused: z.record(z.string(), z.int()).describe("How many could not be enrolled, by reason."),
  next_after: z.int().nullable().describe("Where the next piece begins; null after the last."),
});

/** Times in milliseconds. */
export interface WorkflowRow {
  readonly id: number;
  readonly name: string;
  readonly status: WorkflowStatus;
  readonly allow_reentry: boolean | number;
  readonly version: number | null;
  readonly trigger_event: string | null;
  readonly throttled_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export function toWorkflow(row: WorkflowRow): WorkflowView {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    allow_reentry: Boolean(row.allow_reentry),
    version: row.version,
    trigger_event: row.trigger_event,
    ...(row.throttled_at === null ? {} : { throttled_at: toTimestamp(row.throttled_at) }),
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}
