/**
 * What comes after what: walks a run from where it stands to where it waits, ends or must be carried on elsewhere. Knows no database and
 * no clock: what it needs it asks of a `World`. A dry run begins with `entering(definition.entry, now)` and walks again, in a world
 * whose clock has jumped to `standing.dueAt`, for as long as there is one.
 */
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { WorkflowNode } from "../definition/node.schema.ts";
import { findNode } from "../definition/successors.ts";
import { takeBranch } from "../nodes/branch.ts";
import { jumpToGoal, passGoal } from "../nodes/goal.ts";
import { arriveAtWait, goOnWaiting } from "../nodes/wait.ts";
import { afterStep, isOver } from "./standing.ts";
import type { Standing, Step } from "./standing.ts";
import type { World } from "./world.ts";

export interface Walk {
  readonly standing: Standing;
  /** How many nodes it has left behind. */
  readonly passed: number;
  /** rests: it waits, or is over. apart: its next node must be carried out elsewhere. more: it may go on at once. */
  readonly stopped: "rests" | "apart" | "more";
}

/** A node threw: the run stands in front of it. */
export class NodeFault extends Error {
  readonly standing: Standing;

  constructor(standing: Standing, cause: unknown) {
    super(`the node ${standing.nodeId} could not be carried out`, { cause });
    this.standing = standing;
  }
}

/** Takes at most so many steps. Throws a NodeFault for what a node threw. */
export async function walk(definition: WorkflowDefinition, from: Standing, world: World, most: number): Promise<Walk> {
  let standing = from;
  let passed = 0;
  for (let steps = 0; steps < most; steps += 1) {
    if (isOver(standing)) return { standing, passed, stopped: "rests" };
    const node = findNode(definition, standing.nodeId);
    if (node === undefined) throw new Error(`the definition has no node ${standing.nodeId}`);
    const { step, isSent } = await take(definition, standing, node, world);
    if (step === "apart") return { standing, passed, stopped: "apart" };
    const after = afterStep(standing, step, world.now);
    // Who waits on, and who tries the same node again, has left nothing behind.
    const stays =
      "waits" in step || (standing.status === "waiting" && node.type !== "wait" && after.nodeId === standing.nodeId);
    passed += stays ? 0 : 1;
    const isReply = "to" in step && step.orEnds === "replied";
    // A reply counts once: the next wait is for the next one.
    standing = isSent || isReply ? { ...after, repliesSince: world.now } : after;
    if (standing.status === "waiting") return { standing, passed, stopped: "rests" };
  }
  return { standing, passed, stopped: isOver(standing) ? "rests" : "more" };
}

interface Taken {
  readonly step: Step | "apart";
  readonly isSent: boolean;
}

async function take(
  definition: WorkflowDefinition,
  standing: Standing,
  node: WorkflowNode,
  world: World,
): Promise<Taken> {
  try {
    if (standing.status === "waiting") return { step: await goOn(definition, standing, node, world), isSent: false };
    return await visit(definition, standing, node, world);
  } catch (error) {
    throw new NodeFault(standing, error);
  }
}

/** A run that waits: a goal comes before the wait itself. */
async function goOn(
  definition: WorkflowDefinition,
  standing: Standing,
  node: WorkflowNode,
  world: World,
): Promise<Step> {
  const jump = await jumpToGoal(definition, standing.nodeId, world, { forGood: false });
  if (jump !== undefined) return jump;
  if (node.type === "wait") return goOnWaiting(node, standing, world);
  // Anything else that waits is to be tried again, when it is time.
  const { nodeId, waitingSince, retryAt } = standing;
  if (retryAt === null || retryAt <= world.now) return { to: nodeId };
  return { waits: { reason: "delay", since: waitingSince ?? world.now, until: retryAt, event: null } };
}

/** A run that comes to a node. */
async function visit(
  definition: WorkflowDefinition,
  standing: Standing,
  node: WorkflowNode,
  world: World,
): Promise<Taken> {
  switch (node.type) {
    case "exit":
      return { step: { ends: "exited" }, isSent: false };
    case "branch":
      return { step: await takeBranch(node, world), isSent: false };
    case "goal":
      return { step: await passGoal(node, world), isSent: false };
    case "wait": {
      const step = await arriveAtWait(node, standing, world);
      const jump =
        "waits" in step ? await jumpToGoal(definition, standing.nodeId, world, { forGood: true }) : undefined;
      return { step: jump ?? step, isSent: false };
    }
    default: {
      const performed = await world.perform(node);
      if (performed === "apart") return { step: "apart", isSent: false };
      return performed === "dnd"
        ? { step: { ends: "dnd" }, isSent: false }
        : { step: { to: node.next }, isSent: performed === "sent" };
    }
  }
}
