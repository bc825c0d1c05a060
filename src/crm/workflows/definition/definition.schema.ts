/** A definition: where a run begins, what enrolls by itself, and the nodes. */
import { z } from "zod";
import { limits } from "../../../vocabulary/limits.ts";
import { nodes, waits } from "./node.schema.ts";
import type { WorkflowNode } from "./node.schema.ts";
import { contactEvent, filter, nodeId } from "./parts.schema.ts";

export const triggerSchema = z
  .strictObject({ event: contactEvent, filter: filter.optional() })
  .describe("The event about a contact that enrolls by itself; its data is the context of the run.");

export type Trigger = z.output<typeof triggerSchema>;

/** The whole, as its JSON Schema tells it; readDefinition (read-definition.ts) says better what is wrong. */
export const definitionSchema = z
  .strictObject({
    entry: nodeId.describe("The node at which a run begins."),
    trigger: triggerSchema.optional(),
    nodes: z
      .record(nodeId, z.union([...Object.values(nodes), ...Object.values(waits)]))
      .describe(`At most ${limits.workflow.nodes} nodes by their ids.`),
  })
  .meta({ title: "A workflow of crm", description: "What a workflow does: where a run begins, and its nodes." });

/** A definition as it lies in a version that was published. */
export interface WorkflowDefinition {
  readonly entry: string;
  readonly trigger?: Trigger | undefined;
  readonly nodes: Readonly<Record<string, WorkflowNode>>;
}
