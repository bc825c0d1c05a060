/** Goals: nodes to which a run that waits before them jumps as soon as their filter holds. */
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { AnyNode, RunFacts } from "../definition/node-type.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import { findNode, successorsOf } from "../definition/successors.ts";
import type { RunState, Transition } from "./run-state.ts";

/**
 * The transition to the nearest goal ahead of `nodeId` that holds; undefined where none does. `forGood` leaves out goals from which the run
 * could come back here: they are met when something happens to the contact, never by merely arriving, or a run in a loop would never
 * rest.
 */
export async function jumpToGoal(
  types: NodeTypes,
  definition: WorkflowDefinition,
  nodeId: string,
  facts: RunFacts,
  { forGood }: { readonly forGood: boolean },
): Promise<Transition | undefined> {
  for (const goal of goalsAhead(types, definition, nodeId)) {
    if (forGood && goal.leadsBack) continue;
    if (await facts.holds(goal.when)) return { ...goal.transition, at: goal.id };
  }
  return undefined;
}

/** For a run that waits without having come to a wait: it is due at once if a goal is ahead, which may match by now. */
export function lookAtOnce(types: NodeTypes, definition: WorkflowDefinition, state: RunState, now: number): RunState {
  const looks = state.status === "waiting" && goalsAhead(types, definition, state.nodeId).length > 0;
  return looks ? { ...state, dueAt: now } : state;
}

export function hasGoals(types: NodeTypes, { nodes }: WorkflowDefinition): boolean {
  return Object.values(nodes).some((node) => jumpOf(types, node) !== undefined);
}

function jumpOf(types: NodeTypes, node: AnyNode) {
  const type = types.of(node);
  return type.kind === "control" ? type.jump?.(node) : undefined;
}

interface GoalAhead {
  readonly id: string;
  readonly when: unknown;
  readonly transition: Transition;
  readonly leadsBack: boolean;
}

const known = new WeakMap<WorkflowDefinition, Map<string, readonly GoalAhead[]>>();

/** The goals that a run may come to from `nodeId`, the nearest first. */
export function goalsAhead(types: NodeTypes, definition: WorkflowDefinition, nodeId: string): readonly GoalAhead[] {
  const ofDefinition = known.get(definition) ?? new Map<string, readonly GoalAhead[]>();
  known.set(definition, ofDefinition);
  let ahead = ofDefinition.get(nodeId);
  if (ahead === undefined) {
    ahead = [...nodesAhead(types, definition, nodeId)].flatMap((id) => {
      const node = findNode(definition, id);
      const jump = node && jumpOf(types, node);
      if (jump === undefined) return [];
      return [{ ...jump, id, leadsBack: nodesAhead(types, definition, id).has(nodeId) }];
    });
    ofDefinition.set(nodeId, ahead);
  }
  return ahead;
}

/** Every node that a path from `start` leads to, the nearest first; itself if one leads back. */
function nodesAhead(types: NodeTypes, definition: WorkflowDefinition, start: string): Set<string> {
  const ahead = new Set<string>();
  const next = (id: string): string[] => {
    const node = findNode(definition, id);
    return node === undefined ? [] : successorsOf(types, node).map((successor) => successor.id);
  };
  // A set is iterated in the order in which it grows, also while it does.
  for (const id of next(start)) ahead.add(id);
  for (const id of ahead) for (const further of next(id)) ahead.add(further);
  return ahead;
}
