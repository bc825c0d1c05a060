/** Checks the graph of a definition: links to missing nodes, unreachable nodes, and loops without a timed wait. */
import { showValue } from "../../../kit/input/shown-value.ts";
import { nearest } from "../../../kit/nearest.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { AnyNode } from "../definition/node-type.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import { findNode, successorsOf } from "../definition/successors.ts";
import type { Fault } from "./faults.ts";

/** A fault for each link to a missing node, each unreachable node, and each loop without a timed wait. */
export function judgeGraph(types: NodeTypes, definition: WorkflowDefinition): Fault[] {
  const ids = Object.keys(definition.nodes);
  const dangling = ids
    .flatMap((id) => successorsOf(types, definition.nodes[id]!).map((successor) => ({ ...successor, from: id })))
    .filter(({ id }) => findNode(definition, id) === undefined)
    .map(({ from, field, id }, place) => ({
      place: `nodes.${from}.${field}`,
      predicate: namesNoNode(id, place < mostSuggestions ? ids : []),
    }));
  // Without an entry every node is unreachable: that is said once.
  if (findNode(definition, definition.entry) === undefined)
    return [{ place: "entry", predicate: namesNoNode(definition.entry, ids) }, ...dangling];
  const reached = reachedFrom(types, definition);
  const unreachable = ids
    .filter((id) => !reached.has(id))
    .map((id) => ({ place: `nodes.${id}`, predicate: "is unreachable: no path from the entry leads to it." }));
  return [...dangling, ...unreachable, ...findBusyLoops(types, definition)];
}

/** The most links for which a similar id is searched, which takes time. */
const mostSuggestions = 10;

function namesNoNode(target: string, ids: readonly string[]): string {
  const meant = nearest(target, ids);
  return `names ${showValue(target)}, and there is no such node.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
}

function reachedFrom(types: NodeTypes, definition: WorkflowDefinition): Set<string> {
  const reached = new Set([definition.entry]);
  // A set is iterated in the order in which it grows, also while it does.
  for (const id of reached) {
    for (const { id: target } of successorsOf(types, definition.nodes[id]!))
      if (findNode(definition, target) !== undefined) reached.add(target);
  }
  return reached;
}

function isTimed(types: NodeTypes, node: AnyNode): boolean {
  const type = types.of(node);
  if (type.kind === "action") return type.startsAt?.(node, 0, "UTC") !== undefined;
  return type.kind === "control" && type.isTimed?.(node) === true;
}

/** Each loop without a timed wait, once, at its first node. A depth-first search. */
function findBusyLoops(types: NodeTypes, definition: WorkflowDefinition): Fault[] {
  const faults: Fault[] = [];
  const state = new Map<string, "open" | "done">();
  const path: string[] = [];

  function visit(id: string): void {
    const node = findNode(definition, id);
    if (node === undefined || isTimed(types, node) || state.get(id) === "done") return;
    if (state.get(id) === "open") {
      const loop = [...path.slice(path.indexOf(id)), id].join(" → ");
      faults.push({ place: `nodes.${id}`, predicate: `is part of a loop without a timed wait: ${loop}.` });
      return;
    }
    state.set(id, "open");
    path.push(id);
    for (const successor of successorsOf(types, node)) visit(successor.id);
    path.pop();
    state.set(id, "done");
  }

  for (const id of Object.keys(definition.nodes)) visit(id);
  return faults;
}
