/** The output of workflow runs (specification, "Workflow run"). */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { toNullableTimestamp, toTimestamp } from "../../kit/time/timestamp.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { limits } from "../../vocabulary/limits.ts";
import { endedReasons, runStatuses, waitReasons } from "../../vocabulary/states.ts";
import type { EndedReason, RunStatus, WaitReason } from "../../vocabulary/states.ts";
import { runStepView } from "./run-step.view.ts";
import type { RunStepView } from "./run-step.view.ts";

/** An example. */
export const workflowRunSpecimen = {
  id: 1,
  workflow_id: 1,
  contact_id: 1,
  status: "waiting" as const,
  current_node_id: "wait_for_reply",
  wait_reason: "reply" as const,
  wake_at: "2026-03-03T12:00:00.000Z",
  ended_reason: null,
  enrolled_at: "2026-03-01T12:00:00.000Z",
  completed_at: null,
};

export const workflowRunView = z
  .object({
    id: z.int(),
    workflow_id: z.int(),
    contact_id: z.int(),
    status: z.enum(runStatuses),
    current_node_id: z
      .string()
      .nullable()
      .describe("The next node, the one at which the run waits, or the one at which it ended."),
    wait_reason: z.enum(waitReasons),
    wake_at: z.iso.datetime().nullable().describe("When the wait ends or times out."),
    ended_reason: z.literal([...endedReasons, null]),
    enrolled_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable().describe("When the run ended, for any reason."),
  })
  .meta({
    id: "WorkflowRun",
    description: "The progress of a contact through a workflow.",
    examples: [workflowRunSpecimen],
  });

export type WorkflowRunView = z.output<typeof workflowRunView>;

/** What a run tells of its wait and of failures, beside its state. */
const reasons = {
  waiting_since: z.iso.datetime().nullable().describe("When the run began to wait; null unless it waits."),
  awaited_event: z.string().nullable().describe("The event that the run waits for."),
  awaited_channel_id: z.int().nullable().describe("The channel that the run waits for."),
  error: z
    .string()
    .nullable()
    .describe("Why the run failed; of a run that repeats its node at `wake_at`, why the last attempt failed."),
  attempts: z.int().describe("The failed attempts at the current node."),
};

const reasonsSpecimen = {
  waiting_since: "2026-03-01T12:00:00.000Z",
  awaited_event: null,
  awaited_channel_id: null,
  error: null,
  attempts: 0,
};

const workflowRunItemView = workflowRunView.extend(reasons).meta({
  id: "WorkflowRunItem",
  description: "A run in the list of a workflow.",
  examples: [{ ...workflowRunSpecimen, ...reasonsSpecimen }],
});

export type WorkflowRunItemView = z.output<typeof workflowRunItemView>;

export const workflowRunListView = pageOf(workflowRunItemView).meta({
  id: "WorkflowRunList",
  description: "A page of the runs of a workflow, newest first.",
});

/** One run, with its context and its last steps. */
export const workflowRunDetailView = workflowRunView
  .extend({
    ...reasons,
    version: z.int().describe("The version of the workflow that it follows."),
    trigger_event: z
      .string()
      .nullable()
      .describe("The event that started it; null if the contact was enrolled by a request."),
    context: z
      .record(z.string(), z.unknown())
      .describe(
        "The context that was given with the enrollment, or the data of the event that started it, as far as the credential may see that event; {} otherwise.",
      ),
    steps: z.array(runStepView).describe(`The last ${limits.workflowRun.steps} steps, the oldest first.`),
  })
  .meta({
    id: "WorkflowRunDetail",
    description: "A run of a workflow, with its context and its last steps.",
    examples: [
      {
        ...workflowRunSpecimen,
        ...reasonsSpecimen,
        version: 2,
        trigger_event: null,
        context: { plan: "pro" },
        steps: [
          {
            node_id: "greet",
            type: "send_message",
            at: "2026-03-01T12:00:00.000Z",
            outcome: "done" as const,
            detail: { message_id: 1, next: "wait_for_reply" },
            attempt: 1,
          },
          {
            node_id: "wait_for_reply",
            type: "wait",
            at: "2026-03-01T12:00:00.000Z",
            outcome: "waits" as const,
            detail: { wait_reason: "reply" as const, until: "2026-03-03T12:00:00.000Z", event: "message.received" },
            attempt: 1,
          },
        ],
      },
    ],
  });

export type WorkflowRunDetailView = z.output<typeof workflowRunDetailView>;

export const retriedRunsView = z.object({
  retried: z.int().describe("The number of runs that continue."),
  refused: z.record(z.string(), z.int()).describe("The number of runs that cannot continue, by the reason."),
});

/** Times in milliseconds. */
export interface WorkflowRunRow {
  readonly id: number;
  readonly workflow_id: number;
  readonly contact_id: number;
  readonly status: RunStatus;
  readonly current_node_id: string | null;
  readonly wait_reason: WaitReason;
  /** When the engine moves it; not shown for active runs. */
  readonly due_at: number | null;
  readonly ended_reason: EndedReason | null;
  readonly enrolled_at: number;
  readonly completed_at: number | null;
}

export function toWorkflowRun(row: WorkflowRunRow): WorkflowRunView {
  return {
    id: row.id,
    workflow_id: row.workflow_id,
    contact_id: row.contact_id,
    status: row.status,
    current_node_id: row.current_node_id,
    wait_reason: row.wait_reason,
    wake_at: row.status === "waiting" ? toNullableTimestamp(row.due_at) : null,
    ended_reason: row.ended_reason,
    enrolled_at: toTimestamp(row.enrolled_at),
    completed_at: toNullableTimestamp(row.completed_at),
  };
}

export interface WorkflowRunItemRow extends WorkflowRunRow {
  readonly waiting_since: number | null;
  readonly awaited_event: EventName | null;
  readonly awaited_channel_id: number | null;
  readonly error: string | null;
  readonly attempts: number;
}

export function toWorkflowRunItem(row: WorkflowRunItemRow): WorkflowRunItemView {
  const isWaiting = row.status === "waiting";
  return {
    ...toWorkflowRun(row),
    waiting_since: isWaiting ? toNullableTimestamp(row.waiting_since) : null,
    awaited_event: isWaiting ? row.awaited_event : null,
    awaited_channel_id: isWaiting ? row.awaited_channel_id : null,
    error: row.error,
    attempts: row.attempts,
  };
}

export interface WorkflowRunDetailRow extends WorkflowRunItemRow {
  readonly version: number;
  readonly trigger_event: EventName | null;
  /** JSON. */
  readonly context: string;
}

export function toWorkflowRunDetail(row: WorkflowRunDetailRow, steps: readonly RunStepView[]): WorkflowRunDetailView {
  const context = JSON.parse(row.context) as WorkflowRunDetailView["context"];
  return {
    ...toWorkflowRunItem(row),
    version: row.version,
    trigger_event: row.trigger_event,
    context,
    steps: [...steps],
  };
}
