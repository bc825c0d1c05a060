/** goal: what the workflow is for; a run that waits jumps to it as soon as it holds, one that reaches it otherwise passes through. */
import { findNode, successorsOf } from "../definition/successors.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { NodeOf } from "../definition/node.schema.ts";
import type { Standing, Step } from "../walk/standing.ts";
import type { World } from "../walk/world.ts";

/** Reached in the ordinary way. */
export async function passGoal(node: NodeOf<"goal">, world: World): Promise<Step> {
  return (await world.holds(node.when)) ? meet(node) : { to: node.next };
}

/**
 * What comes of the nearest goal ahead of `nodeId` that holds; undefined where none does. `forGood` leaves those out from which the run
 * could come back here: they are met when something happens to the contact, never by merely arriving, or a run that goes in a
 * circle would never rest.
 */
export async function jumpToGoal(
  definition: WorkflowDefinition,
  nodeId: string,
  world: World,
  { forGood }: { readonly forGood: boolean },
): Promise<Step | undefined> {
  for (const goal of goalsAhead(definition, nodeId)) {
    if (forGood && goal.leadsBack) continue;
    if (await world.holds(goal.node.when)) return { ...meet(goal.node), at: goal.id };
  }
  return undefined;
}

/** For a run that waits without having come to a wait: what came to hold on the way is seen at once, where there is a goal ahead. */
export function lookAtOnce(definition: WorkflowDefinition, standing: Standing, now: number): Standing {
  const looks = standing.status === "waiting" && goalsAhead(definition, standing.nodeId).length > 0;
  return looks ? { ...standing, dueAt: now } : standing;
}

function meet({ next }: NodeOf<"goal">) {
  return { to: next, orEnds: "goal_met" } as const;
}

export function hasGoals({ nodes }: WorkflowDefinition): boolean {
  return Object.values(nodes).some(({ type }) => type === "goal");
}

interface GoalAhead {
  readonly id: string;
  readonly node: NodeOf<"goal">;
  readonly leadsBack: boolean;
}

const known = new WeakMap<WorkflowDefinition, Map<string, readonly GoalAhead[]>>();

/** The goals that a run may come to from `nodeId`, the nearest first. */
export function goalsAhead(definition: WorkflowDefinition, nodeId: string): readonly GoalAhead[] {
  const ofDefinition = known.get(definition) ?? new Map<string, readonly GoalAhead[]>();
  known.set(definition, ofDefinition);
  let ahead = ofDefinition.get(nodeId);
  if (ahead === undefined) {
    ahead = [...nodesAhead(definition, nodeId)].flatMap((id) => {
      const node = findNode(definition, id);
      return node?.type === "goal" ? [{ id, node, leadsBack: nodesAhead(definition, id).has(nodeId) }] : [];
    });
    ofDefinition.set(nodeId, ahead);
  }
  return ahead;
}

/** Every node that a way from `start` leads to, the nearest first; itself if one leads back. */
function nodesAhead(definition: WorkflowDefinition, start: string): Set<string> {
  const ahead = new Set<string>();
  const next = (id: string): string[] => {
    const node = findNode(definition, id);
    return node === undefined ? [] : successorsOf(node).map((successor) => successor.id);
  };
  // A set is walked through in the order in which it grows, also while it does.
  for (const id of next(start)) ahead.add(id);
  for (const id of ahead) for (const further of next(id)) ahead.add(further);
  return ahead;
}
