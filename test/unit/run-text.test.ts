/** What a run waits for, in a word or two, and what a step did. */
import { expect, test } from "vitest";
import { describeStep, nameWait } from "../../src/crm/workflow-runs/run-step.text.ts";
import type { WorkflowRunItemView } from "../../src/crm/workflow-runs/workflow-run.view.ts";

const run: WorkflowRunItemView = {
  id: 1,
  workflow_id: 1,
  contact_id: 1,
  status: "waiting",
  current_node_id: "a",
  wait_reason: "none",
  wake_at: null,
  ended_reason: null,
  enrolled_at: "2026-03-01T12:00:00.000Z",
  completed_at: null,
  waiting_since: "2026-03-01T12:00:00.000Z",
  awaited_event: null,
  awaited_channel_id: null,
  error: null,
  attempts: 0,
};

test.each<[Partial<WorkflowRunItemView>, string | null]>([
  [{ status: "active", waiting_since: null }, null],
  [{ wait_reason: "delay" }, "delay"],
  [{ wait_reason: "delay", attempts: 2, error: "The address answered 503." }, "attempt 3"],
  [{ wait_reason: "until" }, "until"],
  [{ wait_reason: "reply", awaited_event: "message.received" }, "reply"],
  [{ wait_reason: "event", awaited_event: "form.submitted" }, "form.submitted"],
  // The event has come; the worker has not moved the run yet.
  [{ wait_reason: "event" }, "event"],
  [{ wait_reason: "channel", awaited_channel_id: 4 }, "channel 4"],
  [{ wait_reason: "channel", awaited_channel_id: 4, attempts: 1 }, "channel 4"],
])("%j", (state, name) => {
  expect(nameWait({ ...run, ...state })).toBe(name);
});

test("a message is told as queued: the step ends before the channel has sent it", () => {
  const step = {
    node_id: "greet",
    type: "send_message",
    at: "2026-03-01T12:00:00.000Z",
    outcome: "done" as const,
    detail: { message_id: 31, next: "tell" },
    attempt: 1,
  };
  expect(describeStep(step, String)).toBe("queued message 31; continues at tell");
});
