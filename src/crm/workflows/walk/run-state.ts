/** Where a run stands, and what may come of a node: plain values, times in milliseconds. */
import type { EventName } from "../../../vocabulary/events.ts";
import { endings } from "../../../vocabulary/states.ts";
import type { EndedReason, RunStatus, WaitReason } from "../../../vocabulary/states.ts";

export interface RunState {
  readonly status: RunStatus;
  /** The node that is next, at which it waits, or at which it ended. */
  readonly nodeId: string;
  readonly waitReason: WaitReason;
  /** Since when it waits: what is left of a wait follows from it and the node. null unless it waits. */
  readonly waitingSince: number | null;
  /** When it goes on by itself; null for a wait without an end, and once it is over. */
  readonly dueAt: number | null;
  /** Where a node that did not succeed is tried again, no earlier than this. */
  readonly retryAt: number | null;
  /** null for who waits for an event: it has come. */
  readonly awaitedEvent: EventName | null;
  /** A reply after this moment counts: the last send, else when it was enrolled, else the last reply that counted. */
  readonly repliesSince: number;
  readonly endedReason: EndedReason | null;
  /** Why it failed, for people. */
  readonly error: string | null;
}

/** What comes of a node. */
export type Transition =
  /** On to a node; where there is none the run ends, as finished and where it stands unless said otherwise. */
  | { readonly to: string | undefined; readonly orEnds?: EndedReason; readonly at?: string }
  | { readonly ends: EndedReason; readonly error?: string }
  | { readonly waits: Wait };

export interface Wait {
  readonly reason: Exclude<WaitReason, "none">;
  readonly since: number;
  readonly until: number | null;
  readonly event: EventName | null;
}

/** A run that was enrolled at `now` and stands in front of its first node. */
export function initialState(entry: string, now: number): RunState {
  return { ...readyAt(entry, now), repliesSince: now, endedReason: null, error: null };
}

/** `now`: when the transition was taken. */
export function applyTransition(state: RunState, transition: Transition, now: number): RunState {
  if ("waits" in transition) {
    const { reason, since, until, event } = transition.waits;
    return {
      ...state,
      status: "waiting",
      waitReason: reason,
      waitingSince: since,
      dueAt: until,
      awaitedEvent: event,
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
    endedReason: reason,
    error,
  };
}

export function isRunOver({ endedReason }: RunState): boolean {
  return endedReason !== null;
}
