/** What goes out for a workflow. */
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
    allow_reentry: z.boolean().describe("Whether a contact may have several active runs of it."),
    version: z.int().nullable().describe("The version that new runs begin with; null while it is not published."),
    trigger_event: z
      .string()
      .nullable()
      .describe("The event that enrolls by itself; null without one, and for a draft."),
    chain_grew_at: z.iso
      .datetime()
      .optional()
      .describe("When its runs last were part of a chain that had grown past 1,000 runs; left out where none has."),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Workflow", description: "What contacts go through by itself.", examples: [workflowSpecimen] });

export type WorkflowView = z.output<typeof workflowView>;

export const workflowListView = pageOf(workflowView).meta({
  id: "WorkflowList",
  description: "A page of workflows, the oldest first.",
});

/** A workflow with what it does: for whoever looks at one. */
export const workflowDetailView = workflowView.extend({
  draft: z.record(z.string(), z.unknown()).describe("The definition that the next publish takes."),
  definition: definitionSchemaOf(workflowNodes)
    .nullable()
    .describe("The one that new runs begin with; null while it is not published."),
  active_runs: z.record(z.string(), z.int()).describe("How many runs that are not over stand at each node."),
});

const warnings = z.array(z.string()).describe("What is odd about the definition, though it runs.");
const faults = z.record(z.string(), z.array(z.string())).describe("What keeps the draft from being published.");

export const draftJudgementView = z.object({ faults, warnings });

export const publishedWorkflowView = workflowView.extend({ warnings });

/** `faults` where it was not to be published. */
export const writtenWorkflowView = publishedWorkflowView.extend({ faults: faults.optional() });

export type WrittenWorkflowView = z.output<typeof writtenWorkflowView>;

export const unpublishedWorkflowView = workflowView.extend({ ended: z.int().describe("How many runs ended.") });

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
