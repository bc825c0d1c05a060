/** Finds fields of a value, at any depth, that its JSON Schema lacks. */
import type { JsonSchema } from "./json-schema.ts";

interface UnknownField {
  /** Its path, such as "contacts.0.emial". */
  readonly path: string;
  /** The known fields at its place. */
  readonly known: readonly string[];
}

/** A generator, so that the caller can stop early. A schema without properties accepts any. */
export function* unknownFields(schema: JsonSchema, value: unknown): Generator<UnknownField> {
  yield* walk([schema], value, "", (schema["$defs"] ?? {}) as Record<string, JsonSchema>);
}

function* walk(
  schemas: readonly JsonSchema[],
  value: unknown,
  path: string,
  definitions: Readonly<Record<string, JsonSchema>>,
): Generator<UnknownField> {
  const choices = schemas.flatMap((schema) => choicesOf(schema, definitions));
  if (Array.isArray(value)) {
    const items = choices.flatMap(({ items: item }) => (item === undefined ? [] : [item as JsonSchema]));
    if (items.length === 0) return;
    for (const [place, item] of value.entries()) yield* walk(items, item, `${path}${place}.`, definitions);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const shapes = choices.filter((choice) => choice["properties"] !== undefined);
  if (shapes.length === 0 || shapes.some(isOpen)) return;
  const known = Map.groupBy(
    shapes.flatMap(({ properties }) => Object.entries(properties as Record<string, JsonSchema>)),
    ([name]) => name,
  );
  for (const [name, part] of Object.entries(value)) {
    const parts = known.get(name)?.map(([, schema]) => schema);
    if (parts === undefined) yield { path: path + name, known: [...known.keys()] };
    else yield* walk(parts, part, `${path}${name}.`, definitions);
  }
}

/** Alternatives: the value may match any of these schemas. */
function choicesOf(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>): JsonSchema[] {
  const { $ref, anyOf, oneOf, allOf } = schema;
  const choices = (anyOf ?? oneOf ?? allOf) as JsonSchema[] | undefined;
  if (choices !== undefined) return choices.flatMap((choice) => choicesOf(choice, definitions));
  const named = typeof $ref === "string" ? definitions[$ref.slice($ref.lastIndexOf("/") + 1)] : undefined;
  return named === undefined ? [schema] : choicesOf(named, definitions);
}

function isOpen({ additionalProperties }: JsonSchema): boolean {
  return additionalProperties !== undefined && additionalProperties !== false;
}
