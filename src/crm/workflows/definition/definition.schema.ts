/** A definition: where a run begins, the event that enrolls contacts, and the nodes. */
import { z } from "zod";
import { limits } from "../../../vocabulary/limits.ts";
import type { AnyNode } from "./node-type.ts";
import { formsOf } from "./node-types.ts";
import type { NodeTypes } from "./node-types.ts";
import { contactEvent, filter, nodeId } from "./parts.schema.ts";

export const triggerSchema = z
  .strictObject({
    event: contactEvent,
    filter: filter.optional(),
    imports: z.boolean().optional().describe("Whether events of imports start it too; by default they do not."),
  })
  .describe("The event that enrolls its contact; its data becomes the context of the run.");

export type Trigger = z.output<typeof triggerSchema>;

/** A definition of nodes of these types, for JSON Schema; readDefinition (read-definition.ts) names faults better. */
export function definitionSchemaOf({ all }: NodeTypes) {
  return z
    .strictObject({
      entry: nodeId.describe("The first node."),
      trigger: triggerSchema.optional(),
      nodes: z.record(nodeId, z.union(all.flatMap(formsOf))).describe(`At most ${limits.workflow.nodes} nodes by id.`),
    })
    .meta({ title: "A workflow of crm", description: "The trigger, the entry and the nodes of a workflow." });
}

/** A definition as a published version holds it. */
export interface WorkflowDefinition {
  readonly entry: string;
  readonly trigger?: Trigger | undefined;
  readonly nodes: Readonly<Record<string, AnyNode>>;
}
