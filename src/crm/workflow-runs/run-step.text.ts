/** Steps and waits of runs in the words of people, for the terminal and the console. */
import type { RunStepView } from "./run-step.view.ts";
import type { WorkflowRunItemView, WorkflowRunView } from "./workflow-run.view.ts";

type Moment = (timestamp: string) => string;

/** What happened at the node, and why. `moment` shows a timestamp in the location's time zone. */
export function describeStep({ outcome, detail, attempt }: RunStepView, moment: Moment): string {
  switch (outcome) {
    case "waits":
      return describeWait(
        {
          reason: detail.wait_reason ?? "none",
          until: detail.until ?? null,
          event: detail.event ?? null,
          channel: detail.channel_id ?? null,
        },
        moment,
      );
    case "retries":
      return `attempt ${attempt} failed: ${detail.error} The next one: ${moment(detail.until!)}`;
    case "failed":
      return detail.next === undefined ? detail.error! : `${detail.error} Continues at ${detail.next}`;
    case "retried":
      return "the run was retried";
    default:
      return [...factsOf(detail), directionOf(detail)].join("; ");
  }
}

function factsOf({ goal, ended_by, message_id, status }: RunStepView["detail"]): string[] {
  return [
    ...(ended_by === undefined ? [] : [waitEnds[ended_by]]),
    ...(goal === undefined ? [] : [`met the goal ${goal}`]),
    ...(message_id === undefined ? [] : [`queued message ${message_id}`]),
    ...(status === undefined ? [] : [`the address answered ${status}`]),
  ];
}

const waitEnds = {
  reply: "the contact replied",
  event: "the event happened",
  time: "the wait is over",
  timeout: "timed out",
  channel: "the channel sends again",
} as const;

function directionOf({ next, ended_reason: ended }: RunStepView["detail"]): string {
  return next === undefined ? `ends: ${ended}` : `continues at ${next}`;
}

interface ShownWait {
  readonly reason: WorkflowRunView["wait_reason"];
  readonly until: string | null;
  readonly event: string | null;
  readonly channel: number | null;
}

const waits = {
  none: "waits",
  delay: "waits",
  until: "waits",
  reply: "waits for a reply",
  event: "waits for an event",
  channel: "waits for a channel",
} as const satisfies Record<ShownWait["reason"], string>;

function describeWait({ reason, until, event, channel }: ShownWait, moment: Moment): string {
  if (reason === "channel") return `waits for channel ${channel}, which is paused or cannot deliver`;
  const what = reason === "event" && event !== null ? `waits for ${event}` : waits[reason];
  return until === null ? `${what}, without a timeout` : `${what} until ${moment(until)}`;
}

/** Whether the run repeats its node: its wait ends with the next attempt. */
export function isRepeating({ wait_reason, attempts }: Pick<WorkflowRunItemView, "wait_reason" | "attempts">): boolean {
  return wait_reason === "delay" && attempts > 0;
}

/** Why the run failed or its last attempt did, with the number of that attempt; null if none did. */
export function describeError(run: WorkflowRunItemView): string | null {
  if (run.error === null) return null;
  return isRepeating(run) ? `Attempt ${run.attempts} failed. ${run.error}` : run.error;
}

/** What a waiting run waits for, in a word or two; null unless it waits. Of a run that repeats its node, the next attempt. */
export function nameWait(run: WorkflowRunItemView): string | null {
  switch (run.wait_reason) {
    case "none":
      return null;
    case "channel":
      return `channel ${run.awaited_channel_id}`;
    case "event":
      return run.awaited_event ?? "event";
    case "delay":
      return isRepeating(run) ? `attempt ${run.attempts + 1}` : "delay";
    default:
      return run.wait_reason;
  }
}
