/** The links of a node: every other node that it names. */
import type { WorkflowDefinition } from "./definition.schema.ts";
import type { AnyNode } from "./node-type.ts";
import type { NodeTypes } from "./node-types.ts";

export interface Successor {
  /** The field of the node that names it. */
  readonly field: string;
  readonly id: string;
}

/** In the order in which people read them. */
export function successorsOf(nodes: NodeTypes, node: AnyNode): Successor[] {
  const named = node as unknown as Readonly<Record<string, string | undefined>>;
  return nodes.linksOf(nodes.of(node)).flatMap((field) => {
    const id = named[field];
    return id === undefined ? [] : [{ field, id }];
  });
}

/** The node with this id; inherited members are no nodes. */
export function findNode({ nodes }: Pick<WorkflowDefinition, "nodes">, id: string): AnyNode | undefined {
  return Object.hasOwn(nodes, id) ? nodes[id] : undefined;
}
