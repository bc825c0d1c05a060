/**
 * What comes after what: walks a run from where it stands to where it waits, ends or must be carried on elsewhere. Knows no database and
 * no clock: what it needs it asks of a `World`. A dry run begins with `entering(definition.entry, now)` and walks again, in a world
 * whose clock has jumped to `standing.dueAt`, for as long as there is one.
 */
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { AnyNode, ControlType, NodeType } from "../definition/node-type.ts";
import { findNode } from "../definition/successors.ts";
import { jumpToGoal } from "./goals.ts";
import { afterStep, isOver } from "./standing.ts";
import type { Standing, Step } from "./standing.ts";
import type { Deferred, World } from "./world.ts";

export interface Walk {
  readonly standing: Standing;
  /** How many nodes it has completed. */
  readonly passed: number;
  /** rests: it waits, or is over. more: it may go on at once. Otherwise its next node cannot be performed here. */
  readonly stopped: "rests" | "more" | Deferred;
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
    if (typeof step === "string") return { standing, passed, stopped: step };
    const after = afterStep(standing, step, world.now);
    // A run that keeps waiting, or retries its node, has completed no node.
    const isRetry =
      standing.status === "waiting" && !isResumable(world.types.of(node)) && after.nodeId === standing.nodeId;
    const stays = "waits" in step || isRetry;
    passed += stays ? 0 : 1;
    const isReply = "to" in step && step.orEnds === "replied";
    // A reply counts once: the next wait is for the next one.
    standing = isSent || isReply ? { ...after, repliesSince: world.now } : after;
    if (standing.status === "waiting") return { standing, passed, stopped: "rests" };
  }
  return { standing, passed, stopped: isOver(standing) ? "rests" : "more" };
}

interface Taken {
  readonly step: Step | Deferred;
  readonly isSent: boolean;
}

async function take(definition: WorkflowDefinition, standing: Standing, node: AnyNode, world: World): Promise<Taken> {
  try {
    if (standing.status === "waiting") return { step: await goOn(definition, standing, node, world), isSent: false };
    return await visit(definition, standing, node, world);
  } catch (error) {
    throw new NodeFault(standing, error);
  }
}

/** A run that waits: a goal comes before the wait itself. */
async function goOn(definition: WorkflowDefinition, standing: Standing, node: AnyNode, world: World): Promise<Step> {
  const jump = await jumpToGoal(world.types, definition, standing.nodeId, world, { forGood: false });
  if (jump !== undefined) return jump;
  const type = world.types.of(node);
  if (isResumable(type)) return type.resume(node, standing, world);
  // Any other node is retried, when its time has come.
  const { nodeId, waitingSince, retryAt } = standing;
  if (retryAt === null || retryAt <= world.now) return { to: nodeId };
  return { waits: { reason: "delay", since: waitingSince ?? world.now, until: retryAt, event: null } };
}

function isResumable(type: NodeType): type is ControlType & Required<Pick<ControlType, "resume">> {
  return type.kind === "control" && type.resume !== undefined;
}

/** A run that comes to a node. */
async function visit(definition: WorkflowDefinition, standing: Standing, node: AnyNode, world: World): Promise<Taken> {
  const type = world.types.of(node);
  if (type.kind === "control") {
    const step = await type.arrive(node, standing, world);
    const jump =
      "waits" in step
        ? await jumpToGoal(world.types, definition, standing.nodeId, world, { forGood: true })
        : undefined;
    return { step: jump ?? step, isSent: false };
  }
  const performed = await world.perform(node);
  if (performed === "isolated" || performed === "post") return { step: performed, isSent: false };
  return performed === "dnd"
    ? { step: { ends: "dnd" }, isSent: false }
    : { step: { to: node.next }, isSent: performed === "sent" };
}
