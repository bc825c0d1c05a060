/** The output of workflows. */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import { workflowStatuses } from "../../vocabulary/states.ts";
import type { WorkflowStatus } from "../../vocabulary/states.ts";
import { definitionSchemaOf } from "./definition/definition.schema.ts";
import { workflowNodes } from "./nodes/all.ts";

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
    chain_grew_at: z.iso
      .datetime()
      .optional()
      .describe("When its runs last belonged to a chain of more than 1,000 runs; left out if they never did."),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Workflow", description: "An automated sequence of steps for contacts.", examples: [workflowSpecimen] });

export type WorkflowView = z.output<typeof workflowView>;

export const workflowListView = pageOf(workflowView).meta({
  id: "WorkflowList",
  description: "A page of workflows, oldest first.",
});

/** A workflow with its definitions. */
export const workflowDetailView = workflowView.extend({
  draft: z.record(z.string(), z.unknown()).describe("The definition that is published next."),
  definition: definitionSchemaOf(workflowNodes)
    .nullable()
    .describe("The definition that new runs use; null while unpublished."),
  active_runs: z.record(z.string(), z.int()).describe("The number of active runs at each node."),
});

const warnings = z.array(z.string()).describe("Likely mistakes that do not prevent publishing.");
const faults = z.record(z.string(), z.array(z.string())).describe("What prevents the draft from being published.");

export const draftJudgementView = z.object({ faults, warnings });

export const publishedWorkflowView = workflowView.extend({ warnings });

/** `faults` unless it was to be published. */
export const writtenWorkflowView = publishedWorkflowView.extend({ faults: faults.optional() });

export type WrittenWorkflowView = z.output<typeof writtenWorkflowView>;

export const unpublishedWorkflowView = workflowView.extend({
  ended: z.int().describe("The number of runs that ended."),
});

/** Times in milliseconds. */
export interface WorkflowRow {
  readonly id: number;
  readonly name: string;
  readonly status: WorkflowStatus;
  readonly allow_reentry: boolean | number;
  readonly version: number | null;
  readonly trigger_event: string | null;
  readonly chain_grew_at: number | null;
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
    ...(row.chain_grew_at === null ? {} : { chain_grew_at: toTimestamp(row.chain_grew_at) }),
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}
