/** The fields of nodes by what they hold, with their places in the definition, such as `nodes.greet.channel_id`. */
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { AnyNode, NodeField } from "../definition/node-type.ts";
import type { NodeTypes } from "../definition/node-types.ts";

export type PlacedField = NodeField & { readonly place: string };

export function fieldsOf(types: NodeTypes, id: string, node: AnyNode): PlacedField[] {
  const fields = types.of(node).fields(node);
  return fields.map((held) => ({ ...held, place: `nodes.${id}.${held.field}` }));
}

type Filled<Field extends PlacedField> = Field extends PlacedField
  ? Omit<Field, "value"> & { readonly value: NonNullable<Field["value"]> }
  : never;

/** All fields of a definition that hold one of these, in the order of the nodes; those without a value are left out. */
export function fieldsIn<Kind extends NodeField["holds"]>(
  types: NodeTypes,
  { nodes }: WorkflowDefinition,
  ...kinds: readonly Kind[]
): Filled<Extract<PlacedField, { readonly holds: Kind }>>[] {
  const fields = Object.entries(nodes).flatMap(([id, node]) => fieldsOf(types, id, node));
  return fields.filter(
    ({ holds, value }) => (kinds as readonly string[]).includes(holds) && value !== null && value !== undefined,
  ) as Filled<Extract<PlacedField, { readonly holds: Kind }>>[];
}
