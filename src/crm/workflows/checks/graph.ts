/** Whether the nodes of a definition lead to each other, each can be come to, and none goes round for ever. */
import { showValue } from "../../../kit/input/shown-value.ts";
import { nearest } from "../../../kit/nearest.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { WorkflowNode } from "../definition/node.schema.ts";
import { findNode, successorsOf } from "../definition/successors.ts";
import type { Fault } from "./faults.ts";

/** Names every node that leads nowhere, that no way from the entry leads to, and that stands in a circle without a wait. */
export function judgeGraph(definition: WorkflowDefinition): Fault[] {
  const ids = Object.keys(definition.nodes);
  const dangling = ids
    .flatMap((id) => successorsOf(definition.nodes[id]!).map((successor) => ({ ...successor, from: id })))
    .filter(({ id }) => findNode(definition, id) === undefined)
    .map(({ from, field, id }, place) => ({
      place: `nodes.${from}.${field}`,
      predicate: namesNoNode(id, place < mostMeant ? ids : []),
    }));
  // Without an entry nothing can be come to: that is said once.
  if (findNode(definition, definition.entry) === undefined)
    return [{ place: "entry", predicate: namesNoNode(definition.entry, ids) }, ...dangling];
  const reached = reachedFrom(definition);
  const unreachable = ids
    .filter((id) => !reached.has(id))
    .map((id) => ({ place: `nodes.${id}`, predicate: "cannot be come to: no way from the entry leads there." }));
  return [...dangling, ...unreachable, ...judgeCircles(definition)];
}

/** What was meant is looked for so many times: it takes its time, and more of them are of one making. */
const mostMeant = 10;

function namesNoNode(target: string, ids: readonly string[]): string {
  const meant = nearest(target, ids);
  return `names ${showValue(target)}, and there is no such node.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
}

function reachedFrom(definition: WorkflowDefinition): Set<string> {
  const reached = new Set([definition.entry]);
  // A set is walked through in the order in which it grows, also while it does.
  for (const id of reached) {
    for (const { id: target } of successorsOf(definition.nodes[id]!))
      if (findNode(definition, target) !== undefined) reached.add(target);
  }
  return reached;
}

/**
 * What keeps a run for a while each time it comes by; a moment that is past keeps nobody, and a message that is refused comes back at
 * once: who would only send it again would do so for ever.
 */
function takesTime(node: WorkflowNode): boolean {
  return node.type === "wait" && !("until" in node) && !("event" in node && node.event === "message.failed");
}

/** Each circle that takes no time, told once, at the node of it that comes first. */
function judgeCircles(definition: WorkflowDefinition): Fault[] {
  const faults: Fault[] = [];
  const state = new Map<string, "open" | "done">();
  const way: string[] = [];

  function visit(id: string): void {
    const node = findNode(definition, id);
    if (node === undefined || takesTime(node) || state.get(id) === "done") return;
    if (state.get(id) === "open") {
      const circle = [...way.slice(way.indexOf(id)), id].join(" → ");
      faults.push({ place: `nodes.${id}`, predicate: `goes round without a wait that takes time: ${circle}.` });
      return;
    }
    state.set(id, "open");
    way.push(id);
    for (const successor of successorsOf(node)) visit(successor.id);
    way.pop();
    state.set(id, "done");
  }

  for (const id of Object.keys(definition.nodes)) visit(id);
  return faults;
}
