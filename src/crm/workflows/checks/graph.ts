/** Whether the nodes of a definition lead to each other, each can be come to, and none goes round for ever. */
import { showValue } from "../../../kit/input/shown-value.ts";
import { nearest } from "../../../kit/nearest.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { AnyNode } from "../definition/node-type.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import { findNode, successorsOf } from "../definition/successors.ts";
import type { Fault } from "./faults.ts";

/** Names every node that leads nowhere, that no way from the entry leads to, and that stands in a circle without a wait. */
export function judgeGraph(types: NodeTypes, definition: WorkflowDefinition): Fault[] {
  const ids = Object.keys(definition.nodes);
  const dangling = ids
    .flatMap((id) => successorsOf(types, definition.nodes[id]!).map((successor) => ({ ...successor, from: id })))
    .filter(({ id }) => findNode(definition, id) === undefined)
    .map(({ from, field, id }, place) => ({
      place: `nodes.${from}.${field}`,
      predicate: namesNoNode(id, place < mostMeant ? ids : []),
    }));
  // Without an entry nothing can be come to: that is said once.
  if (findNode(definition, definition.entry) === undefined)
    return [{ place: "entry", predicate: namesNoNode(definition.entry, ids) }, ...dangling];
  const reached = reachedFrom(types, definition);
  const unreachable = ids
    .filter((id) => !reached.has(id))
    .map((id) => ({ place: `nodes.${id}`, predicate: "is unreachable: no path from the entry leads to it." }));
  return [...dangling, ...unreachable, ...judgeCircles(types, definition)];
}

/** What was meant is looked for so many times: it takes its time, and more of them are of one making. */
const mostMeant = 10;

function namesNoNode(target: string, ids: readonly string[]): string {
  const meant = nearest(target, ids);
  return `names ${showValue(target)}, and there is no such node.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
}

function reachedFrom(types: NodeTypes, definition: WorkflowDefinition): Set<string> {
  const reached = new Set([definition.entry]);
  // A set is walked through in the order in which it grows, also while it does.
  for (const id of reached) {
    for (const { id: target } of successorsOf(types, definition.nodes[id]!))
      if (findNode(definition, target) !== undefined) reached.add(target);
  }
  return reached;
}

function isTimed(types: NodeTypes, node: AnyNode): boolean {
  const type = types.of(node);
  return type.kind === "control" && type.isTimed?.(node) === true;
}

/** Each circle that takes no time, told once, at the node of it that comes first. */
function judgeCircles(types: NodeTypes, definition: WorkflowDefinition): Fault[] {
  const faults: Fault[] = [];
  const state = new Map<string, "open" | "done">();
  const way: string[] = [];

  function visit(id: string): void {
    const node = findNode(definition, id);
    if (node === undefined || isTimed(types, node) || state.get(id) === "done") return;
    if (state.get(id) === "open") {
      const circle = [...way.slice(way.indexOf(id)), id].join(" → ");
      faults.push({ place: `nodes.${id}`, predicate: `is part of a loop without a timed wait: ${circle}.` });
      return;
    }
    state.set(id, "open");
    way.push(id);
    for (const successor of successorsOf(types, node)) visit(successor.id);
    way.pop();
    state.set(id, "done");
  }

  for (const id of Object.keys(definition.nodes)) visit(id);
  return faults;
}
