/** A node of a workflow in a few words. */
import type { AnyNode } from "../../../src/crm/workflows/definition/node-type.ts";
import { workflowNodes } from "../../../src/crm/workflows/nodes/all.ts";
import { printable } from "../table.ts";

/** In one line, without where it leads. */
export function nodeText(node: AnyNode, types = workflowNodes): string {
  return printable(types.of(node).summary(node));
}
