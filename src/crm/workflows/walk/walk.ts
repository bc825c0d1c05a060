/**
 * The interpreter of definitions: moves a run until it waits, ends or cannot be performed here. It knows neither database nor
 * clock: what it needs it asks of a `World`. A dry run begins with `initialState(definition.entry, now)` and walks again, in a world
 * whose clock has jumped to `state.dueAt`, for as long as there is one.
 */
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { AnyNode, ControlType, NodeType } from "../definition/node-type.ts";
import { findNode } from "../definition/successors.ts";
import { jumpToGoal } from "./goals.ts";
import { applyTransition, isRunOver } from "./run-state.ts";
import type { RunState, Transition } from "./run-state.ts";
import type { Deferred, World } from "./world.ts";

export interface Walk {
  readonly state: RunState;
  /** How many nodes it has completed. */
  readonly completed: number;
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

/** Makes at most `most` transitions. Throws a NodeFault with what a node threw. */
export async function walk(definition: WorkflowDefinition, from: RunState, world: World, most: number): Promise<Walk> {
  let state = from;
  let completed = 0;
  for (let steps = 0; steps < most; steps += 1) {
    if (isRunOver(state)) return { state, completed, stopped: "rests" };
    const node = findNode(definition, state.nodeId);
    if (node === undefined) throw new Error(`the definition has no node ${state.nodeId}`);
    const { transition, isSent } = await runNode(definition, state, node, world);
    if (typeof transition === "string") return { state, completed, stopped: transition };
    const after = applyTransition(state, transition, world.now);
    // A run that keeps waiting, or retries its node, has completed no node.
    const isRetry = state.status === "waiting" && !isResumable(world.types.of(node)) && after.nodeId === state.nodeId;
    const stays = "waits" in transition || isRetry;
    completed += stays ? 0 : 1;
    const isReply = "to" in transition && transition.orEnds === "replied";
    // A reply counts once: the next wait needs another one.
    state = isSent || isReply ? { ...after, repliesSince: world.now } : after;
    if (state.status === "waiting") return { state, completed, stopped: "rests" };
  }
  return { state, completed, stopped: isRunOver(state) ? "rests" : "more" };
}

interface NodeResult {
  readonly transition: Transition | Deferred;
  readonly isSent: boolean;
}

async function runNode(
  definition: WorkflowDefinition,
  state: RunState,
  node: AnyNode,
  world: World,
): Promise<NodeResult> {
  try {
    if (state.status === "waiting") return { transition: await resume(definition, state, node, world), isSent: false };
    return await arrive(definition, state, node, world);
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
): Promise<Transition> {
  const jump = await jumpToGoal(world.types, definition, state.nodeId, world, { forGood: false });
  if (jump !== undefined) return jump;
  const type = world.types.of(node);
  if (isResumable(type)) return type.resume(node, state, world);
  // Any other node is retried, when its time has come.
  const { nodeId, waitingSince, retryAt } = state;
  if (retryAt === null || retryAt <= world.now) return { to: nodeId };
  return { waits: { reason: "delay", since: waitingSince ?? world.now, until: retryAt, event: null } };
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
  if (type.kind === "control") {
    const transition = await type.arrive(node, state, world);
    const jump =
      "waits" in transition
        ? await jumpToGoal(world.types, definition, state.nodeId, world, { forGood: true })
        : undefined;
    return { transition: jump ?? transition, isSent: false };
  }
  const performed = await world.perform(node);
  if (performed === "isolated" || performed === "post") return { transition: performed, isSent: false };
  return performed === "dnd"
    ? { transition: { ends: "dnd" }, isSent: false }
    : { transition: { to: node.next }, isSent: performed === "sent" };
}
