/** Where a run may go from a node: every way out of it, whatever decides between them. */
import type { WorkflowDefinition } from "./definition.schema.ts";
import type { WorkflowNode } from "./node.schema.ts";

const leads = ["next", "then", "else", "on_timeout", "on_error"] as const;

export interface Successor {
  /** The member of the node that names it. */
  readonly field: (typeof leads)[number];
  readonly id: string;
}

/** In the order in which people read them. */
export function successorsOf(node: WorkflowNode): Successor[] {
  const named = node as Partial<Readonly<Record<(typeof leads)[number], string>>>;
  return leads.flatMap((field) => (named[field] === undefined ? [] : [{ field, id: named[field] }]));
}

/** The node of this id; what every object has is none. */
export function findNode({ nodes }: Pick<WorkflowDefinition, "nodes">, id: string): WorkflowNode | undefined {
  return Object.hasOwn(nodes, id) ? nodes[id] : undefined;
}
