/** The fields of a definition's nodes that hold one kind of thing, such as a URL or the id of a channel. */
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { NodeField } from "../definition/node-type.ts";
import type { NodeTypes } from "../definition/node-types.ts";

type Held<Kind extends NodeField["holds"]> = Extract<NodeField, { readonly holds: Kind }>;

type PlacedField<Field extends NodeField> = Field extends NodeField
  ? Omit<Field, "value"> & { readonly place: string; readonly value: NonNullable<Field["value"]> }
  : never;

/** In the order of the nodes; those that hold nothing are left out. */
export function fieldsIn<Kind extends NodeField["holds"]>(
  types: NodeTypes,
  { nodes }: WorkflowDefinition,
  ...kinds: readonly Kind[]
): PlacedField<Held<Kind>>[] {
  const fields = Object.entries(nodes).flatMap(([id, node]) =>
    types
      .of(node)
      .fields(node)
      .map((held) => ({ ...held, place: `nodes.${id}.${held.field}` })),
  );
  return fields.filter(
    ({ holds, value }) => (kinds as readonly string[]).includes(holds) && value !== null && value !== undefined,
  ) as unknown as PlacedField<Held<Kind>>[];
}
