/**
 * The interpreter of definitions: moves a run until it waits, ends or cannot be performed here. It knows neither database nor
 * clock: what it needs it asks of a `World`. A dry run begins with `initialState(definition.entry, now)` and walks again, in a world
 * whose clock has jumped to `state.dueAt`, for as long as there is one.
 */
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { RunStep, StepDetail } from "../../workflow-runs/run-step.view.ts";
import type { AnyNode, ControlType, NodeType } from "../definition/node-type.ts";
import { findNode } from "../definition/successors.ts";
import { jumpToGoal } from "./goals.ts";
import { applyTransition, isRunOver } from "./run-state.ts";
import type { RunState, Transition, Wait } from "./run-state.ts";
import { toStep } from "./steps.ts";
import type { Deferred, World } from "./world.ts";

export interface Walk {
  readonly state: RunState;
  /** How many nodes it has completed. */
  readonly completed: number;
  /** What the history of the run says of it. */
  readonly steps: readonly RunStep[];
  /** rests: it waits, or is over. more: it can be moved further at once. Otherwise its next node cannot be performed here. */
  readonly stopped: "rests" | "more" | Deferred;
}

/** A node threw; `state` is the one before it. */
export class NodeFault extends Error {
  readonly state: RunState;

  constructor(state: RunState, cause: unknown) {
    super(`the node ${state.nodeId} could not be carried out`, { cause });
    this.state = state;
  }
}

/** Makes at most `most` transitions; `attempts` at its node have failed. Throws a NodeFault with what a node threw. */
export async function walk(
  definition: WorkflowDefinition,
  from: RunState,
  world: World,
  most: number,
  attempts = 0,
): Promise<Walk> {
  let state = from;
  let completed = 0;
  const steps: RunStep[] = [];
  for (let made = 0; made < most; made += 1) {
    if (isRunOver(state)) return { state, completed, steps, stopped: "rests" };
    const node = findNode(definition, state.nodeId);
    if (node === undefined) throw new Error(`the definition has no node ${state.nodeId}`);
    const { transition, isSent, detail, isRetry = false } = await runNode(definition, state, node, world);
    if (typeof transition === "string") return { state, completed, steps, stopped: transition };
    const after = applyTransition(state, transition, world.now);
    // A run that keeps waiting, or retries its node, has completed no node.
    const stays = "waits" in transition || isRetry;
    const attempt = completed === 0 ? attempts + 1 : 1;
    const step = toStep({ before: state, transition, after, type: node.type, isRetry, attempt, detail }, world.now);
    if (step !== undefined) steps.push(step);
    completed += stays ? 0 : 1;
    const isReply = "to" in transition && transition.orEnds === "replied";
    // A reply counts once: the next wait needs another one.
    state = isSent || isReply ? { ...after, hasReplied: false } : after;
    if (state.status === "waiting") return { state, completed, steps, stopped: "rests" };
  }
  return { state, completed, steps, stopped: isRunOver(state) ? "rests" : "more" };
}

interface NodeResult {
  readonly transition: Transition | Deferred;
  readonly isSent: boolean;
  readonly detail?: StepDetail | undefined;
  /** Whether the run only goes back to its node, which is tried again. */
  readonly isRetry?: boolean;
}

async function runNode(
  definition: WorkflowDefinition,
  state: RunState,
  node: AnyNode,
  world: World,
): Promise<NodeResult> {
  try {
    if (state.status !== "waiting") return await arrive(definition, state, node, world);
    if (state.waitReason === "channel") return await resumeForChannel(definition, state, node, world);
    return await resume(definition, state, node, world);
  } catch (error) {
    throw new NodeFault(state, error);
  }
}

/** For a run that waits; goals are checked before the wait itself. */
async function resume(
  definition: WorkflowDefinition,
  state: RunState,
  node: AnyNode,
  world: World,
): Promise<NodeResult> {
  const jump = await jumpToGoal(world.types, definition, state.nodeId, world, { forGood: false });
  if (jump !== undefined) return { transition: jump, isSent: false };
  const type = world.types.of(node);
  if (isResumable(type)) return { transition: await type.resume(node, state, world), isSent: false };
  const { nodeId, waitingSince, retryAt, error } = state;
  const since = waitingSince ?? world.now;
  const startsAt = type.kind === "action" ? type.startsAt?.(node, since, world.timeZone) : undefined;
  if (startsAt !== undefined && state.waitReason === "until" && startsAt > world.now)
    return { transition: { waits: waitUntil(startsAt, since) }, isSent: false };
  // Any other node is retried, when its time has come.
  if (retryAt !== null && retryAt > world.now) {
    const waits = { reason: "delay", since, until: retryAt, event: null } as const;
    return { transition: { waits, ...(error === null ? {} : { error }) }, isSent: false };
  }
  if (startsAt !== undefined) return perform(state, node, world);
  return { transition: { to: nodeId }, isSent: false, isRetry: true };
}

function waitUntil(until: number, since: number): Wait {
  return { reason: "until", since, until, event: null };
}

/** For a run that waits for a channel: the node is performed, or waits on. */
async function resumeForChannel(
  definition: WorkflowDefinition,
  state: RunState,
  node: AnyNode,
  world: World,
): Promise<NodeResult> {
  const jump = await jumpToGoal(world.types, definition, state.nodeId, world, { forGood: false });
  return jump === undefined ? perform(state, node, world) : { transition: jump, isSent: false };
}

function isResumable(type: NodeType): type is ControlType & Required<Pick<ControlType, "resume">> {
  return type.kind === "control" && type.resume !== undefined;
}

/** For a run that arrives at a node. */
async function arrive(
  definition: WorkflowDefinition,
  state: RunState,
  node: AnyNode,
  world: World,
): Promise<NodeResult> {
  const type = world.types.of(node);
  const startsAt = type.kind === "action" ? type.startsAt?.(node, world.now, world.timeZone) : undefined;
  const result = await begin(state, node, world, startsAt);
  if (typeof result.transition === "string" || !("waits" in result.transition)) return result;
  const jump = await jumpToGoal(world.types, definition, state.nodeId, world, { forGood: true });
  return jump === undefined ? result : { transition: jump, isSent: false };
}

/** Performs the node, unless it comes later, at `startsAt`. */
async function begin(state: RunState, node: AnyNode, world: World, startsAt: number | undefined): Promise<NodeResult> {
  if (startsAt !== undefined) return { transition: { waits: waitUntil(startsAt, world.now) }, isSent: false };
  const type = world.types.of(node);
  if (type.kind !== "control") return perform(state, node, world);
  return { transition: await type.arrive(node, state, world), isSent: false };
}

async function perform(state: RunState, node: AnyNode, world: World): Promise<NodeResult> {
  const performed = await world.perform(node);
  if (performed === "isolated" || performed === "post") return { transition: performed, isSent: false };
  if (typeof performed === "object" && "awaitsChannel" in performed) {
    const since = state.waitReason === "channel" ? (state.waitingSince ?? world.now) : world.now;
    const waits = { reason: "channel", since, until: null, event: null, channel: performed.awaitsChannel } as const;
    return { transition: { waits }, isSent: false };
  }
  if (performed === "dnd") return { transition: { ends: "dnd" }, isSent: false };
  const { result, detail } = typeof performed === "string" ? { result: performed } : performed;
  return { transition: { to: node.next }, isSent: result === "sent", detail };
}
