/** The output of the steps of a run: what happened at a node, and why. */
import { z } from "zod";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import { endedReasons, stepOutcomes, waitReasons } from "../../vocabulary/states.ts";
import type { StepOutcome } from "../../vocabulary/states.ts";

/** What ends a wait. */
const endsOfWait = ["reply", "event", "time", "timeout", "channel"] as const;

const stepDetail = z.object({
  next: z.string().optional().describe("The node at which the run continued."),
  ended_by: z.enum(endsOfWait).optional().describe("What ended the wait."),
  goal: z.string().optional().describe("The goal that was met, to which the run jumped."),
  message_id: z.int().optional().describe("The message that was queued."),
  wait_reason: z.enum(waitReasons).optional(),
  until: z.iso.datetime().nullable().optional().describe("When the wait ends, or the attempt is repeated."),
  event: z.string().optional().describe("The event that the run waits for."),
  channel_id: z.int().optional().describe("The channel that the run waits for."),
  status: z.int().optional().describe("The status of the response to the post."),
  error: z.string().optional().describe("Why the attempt failed."),
  ended_reason: z.enum(endedReasons).optional().describe("Why the run ended."),
});

export type StepDetail = z.output<typeof stepDetail>;

export const runStepView = z
  .object({
    node_id: z.string(),
    type: z.string().describe("The type of the node."),
    at: z.iso.datetime(),
    outcome: z
      .enum(stepOutcomes)
      .describe(
        "`done`: the node was performed. `waits`: the run waits there. `retries`: the attempt failed and is repeated. `failed`: the node " +
          "failed. `ended`: the run ended there for another reason. `retried`: the failed run was retried.",
      ),
    detail: stepDetail,
    attempt: z.int().describe("The attempt at the node; the first is 1."),
  })
  .meta({
    id: "WorkflowRunStep",
    description: "A step of a run.",
    examples: [
      {
        node_id: "greet",
        type: "send_message",
        at: "2026-03-01T12:00:00.000Z",
        outcome: "done" as const,
        detail: { message_id: 1, next: "wait_for_reply" },
        attempt: 1,
      },
    ],
  });

export type RunStepView = z.output<typeof runStepView>;

/** A step as a run makes it; `at` in milliseconds. */
export interface RunStep {
  readonly nodeId: string;
  readonly type: string;
  readonly at: number;
  readonly outcome: StepOutcome;
  readonly detail: StepDetail;
  readonly attempt: number;
}

export interface RunStepRow {
  readonly node_id: string;
  readonly type: string;
  readonly at: number;
  readonly outcome: StepOutcome;
  /** JSON. */
  readonly detail: string;
  readonly attempt: number;
}

export function toRunStep({ node_id, type, at, outcome, detail, attempt }: RunStepRow): RunStepView {
  return { node_id, type, at: toTimestamp(at), outcome, detail: JSON.parse(detail) as StepDetail, attempt };
}
