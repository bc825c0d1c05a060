/** The history of a walk: which step a transition is, as plain values. */
import { toNullableTimestamp } from "../../../kit/time/timestamp.ts";
import type { RunStep, StepDetail } from "../../workflow-runs/run-step.view.ts";
import { isRunOver } from "./run-state.ts";
import type { RunState, Transition } from "./run-state.ts";

interface Taken {
  readonly before: RunState;
  readonly transition: Transition;
  readonly after: RunState;
  /** The type of the node. */
  readonly type: string;
  /** Whether the run was waiting for the next attempt at the node, which begins. */
  readonly isRetry: boolean;
  /** The attempt at the node. */
  readonly attempt: number;
  /** What else the node has to say. */
  readonly detail?: StepDetail;
}

/** In milliseconds; undefined for a run that keeps waiting for the same reason, or whose next attempt begins. */
export function toStep(
  { before, transition, after, type, isRetry, attempt, detail = {} }: Taken,
  now: number,
): RunStep | undefined {
  const step = { nodeId: before.nodeId, type, at: now, attempt };
  if ("waits" in transition) {
    const { reason, until, event, channel } = transition.waits;
    if (before.status === "waiting" && before.waitReason === reason) return undefined;
    const end = { until: toNullableTimestamp(until) };
    if (transition.error !== undefined)
      return { ...step, outcome: "retries", detail: { ...detail, error: transition.error, ...end } };
    const wait = {
      wait_reason: reason,
      ...end,
      ...(event === null ? {} : { event }),
      ...(channel === undefined ? {} : { channel_id: channel }),
    };
    return { ...step, outcome: "waits", detail: { ...detail, ...wait } };
  }
  if (isRetry) return undefined;
  const error = after.error ?? ("to" in transition ? transition.error : undefined);
  const went = isRunOver(after) ? { ended_reason: after.endedReason! } : { next: after.nodeId };
  const isEnd = "ends" in transition && transition.ends !== "error";
  return {
    ...step,
    outcome: error !== undefined ? "failed" : isEnd ? "ended" : "done",
    detail: { ...detail, ...endOfWait(before, transition), ...(error === undefined ? {} : { error }), ...went },
  };
}

function endOfWait(before: RunState, transition: Transition): StepDetail {
  if ("to" in transition && transition.at !== undefined) return { goal: transition.at };
  switch (before.waitReason) {
    case "delay":
    case "until":
      return { ended_by: "time" };
    case "reply":
      return { ended_by: "to" in transition && transition.orEnds === "replied" ? "reply" : "timeout" };
    case "channel":
      return { ended_by: "channel" };
    case "event":
      return { ended_by: before.awaitedEvent === null ? "event" : "timeout" };
    default:
      return {};
  }
}
