/** The links of a node: every other node that it names. */
import type { WorkflowDefinition } from "./definition.schema.ts";
import { follow } from "./links.ts";
import type { Successor } from "./links.ts";
import type { AnyNode } from "./node-type.ts";
import type { NodeTypes } from "./node-types.ts";

/** In the order in which people read them. */
export function successorsOf(nodes: NodeTypes, node: AnyNode): Successor[] {
  return nodes.linksOf(nodes.of(node)).flatMap((link) => follow(link, node));
}

/** The node with this id; inherited members are no nodes. */
export function findNode({ nodes }: Pick<WorkflowDefinition, "nodes">, id: string): AnyNode | undefined {
  return Object.hasOwn(nodes, id) ? nodes[id] : undefined;
}
