/** The state machine of runs: states and transitions as plain values, times in milliseconds. */
import type { EventName } from "../../../vocabulary/events.ts";
import { endings } from "../../../vocabulary/states.ts";
import type { EndedReason, RunStatus, WaitReason } from "../../../vocabulary/states.ts";

export interface RunState {
  readonly status: RunStatus;
  /** The next node, the one at which it waits, or the one at which it ended. */
  readonly nodeId: string;
  readonly waitReason: WaitReason;
  /** When its wait began, from which the rest of the wait is computed; null unless it waits. */
  readonly waitingSince: number | null;
  /** When the engine moves it; null for a wait without a timeout, and once it is over. */
  readonly dueAt: number | null;
  /** The earliest retry of a failed node. */
  readonly retryAt: number | null;
  /** null in a wait for an event that has happened. */
  readonly awaitedEvent: EventName | null;
  /** The channel that it waits for. */
  readonly awaitedChannel: number | null;
  /** Whether the contact has replied since the last message sent, the last reply that counted, or the enrollment. */
  readonly hasReplied: boolean;
  readonly endedReason: EndedReason | null;
  /** Why it failed, or why its last attempt did if the node is retried; a sentence for people. */
  readonly error: string | null;
}

/** The result of a node. `error` says why it failed, if the run goes on nevertheless. */
export type Transition =
  /** To another node; without one the run ends, by default as `finished` at the current node. */
  | { readonly to: string | undefined; readonly orEnds?: EndedReason; readonly at?: string; readonly error?: string }
  | { readonly ends: EndedReason; readonly error?: string }
  | { readonly waits: Wait; readonly error?: string };

export interface Wait {
  readonly reason: Exclude<WaitReason, "none">;
  readonly since: number;
  readonly until: number | null;
  readonly event: EventName | null;
  readonly channel?: number;
}

/** The state of a run that is enrolled at `now`. */
export function initialState(entry: string, now: number): RunState {
  return { ...readyAt(entry, now), hasReplied: false, endedReason: null };
}

/** `now`: when the transition is made. */
export function applyTransition(state: RunState, transition: Transition, now: number): RunState {
  if ("waits" in transition) {
    const { reason, since, until, event, channel = null } = transition.waits;
    return {
      ...state,
      status: "waiting",
      waitReason: reason,
      waitingSince: since,
      dueAt: until,
      awaitedEvent: event,
      awaitedChannel: channel,
      error: transition.error ?? null,
    };
  }
  if ("ends" in transition) return endedState(state, transition.ends, transition.error);
  if (transition.to === undefined) {
    return endedState({ ...state, nodeId: transition.at ?? state.nodeId }, transition.orEnds ?? "finished");
  }
  return { ...state, ...readyAt(transition.to, now) };
}

function readyAt(nodeId: string, now: number) {
  return {
    status: "active",
    nodeId,
    waitReason: "none",
    waitingSince: null,
    dueAt: now,
    retryAt: null,
    awaitedEvent: null,
    awaitedChannel: null,
    error: null,
  } as const;
}

export function endedState(state: RunState, reason: EndedReason, error: string | null = null): RunState {
  return {
    ...state,
    status: endings[reason],
    waitReason: "none",
    waitingSince: null,
    dueAt: null,
    retryAt: null,
    awaitedEvent: null,
    awaitedChannel: null,
    endedReason: reason,
    error,
  };
}

export function isRunOver({ endedReason }: RunState): boolean {
  return endedReason !== null;
}
