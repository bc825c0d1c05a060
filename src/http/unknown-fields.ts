/** Finds fields of a value, at any depth, that its JSON Schema lacks: in every request, so the schema is read once. */
import type { JsonSchema } from "./json-schema.ts";

interface UnknownField {
  /** Its path, such as "contacts.0.emial". */
  readonly path: string;
  /** The known fields at its place. */
  readonly known: readonly string[];
}

/** The fields that some value may have, below each of which lie further ones; null: any value is known. */
export class KnownFields {
  /** Of objects; null where an object may have any. */
  readonly #fields: ReadonlyMap<string, readonly JsonSchema[]> | null;
  /** Of the items of an array. */
  readonly #items: readonly JsonSchema[];
  readonly #definitions: SchemaDefinitions;
  readonly #below = new Map<string | null, KnownFields>();

  private constructor(schemas: readonly JsonSchema[], definitions: SchemaDefinitions) {
    const choices = schemas.flatMap((schema) => choicesOf(schema, definitions));
    const shapes = choices.filter((choice) => choice["properties"] !== undefined);
    this.#definitions = definitions;
    this.#items = choices.flatMap(({ items }) => (items === undefined ? [] : [items as JsonSchema]));
    this.#fields = shapes.length === 0 || shapes.some(isOpen) ? null : fieldsOf(shapes);
  }

  /** The schema, with its `$defs`. */
  static of(schema: JsonSchema): KnownFields {
    return new KnownFields([schema], (schema["$defs"] ?? {}) as SchemaDefinitions);
  }

  /** A generator, so that the caller can stop early. */
  *unknownIn(value: unknown, path = ""): Generator<UnknownField> {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      if (this.#items.length === 0) return;
      const item = this.#at(null, this.#items);
      for (const [place, member] of value.entries()) {
        if (typeof member === "object") yield* item.unknownIn(member, `${path}${place}.`);
      }
      return;
    }
    if (this.#fields === null) return;
    for (const [name, member] of Object.entries(value)) {
      const schemas = this.#fields.get(name);
      if (schemas === undefined) yield { path: path + name, known: [...this.#fields.keys()] };
      else if (typeof member === "object" && member !== null)
        yield* this.#at(name, schemas).unknownIn(member, `${path}${name}.`);
    }
  }

  /** Read when it is first met. */
  #at(name: string | null, schemas: readonly JsonSchema[]): KnownFields {
    const known = this.#below.get(name) ?? new KnownFields(schemas, this.#definitions);
    this.#below.set(name, known);
    return known;
  }
}

type SchemaDefinitions = Readonly<Record<string, JsonSchema>>;

function fieldsOf(shapes: readonly JsonSchema[]): Map<string, JsonSchema[]> {
  const fields = new Map<string, JsonSchema[]>();
  for (const { properties } of shapes) {
    for (const [name, schema] of Object.entries(properties as SchemaDefinitions))
      fields.set(name, [...(fields.get(name) ?? []), schema]);
  }
  return fields;
}

/** Alternatives: the value may match any of these schemas. */
function choicesOf(schema: JsonSchema, definitions: SchemaDefinitions): JsonSchema[] {
  const { $ref, anyOf, oneOf, allOf } = schema;
  const choices = (anyOf ?? oneOf ?? allOf) as JsonSchema[] | undefined;
  if (choices !== undefined) return choices.flatMap((choice) => choicesOf(choice, definitions));
  const named = typeof $ref === "string" ? definitions[$ref.slice($ref.lastIndexOf("/") + 1)] : undefined;
  return named === undefined ? [schema] : choicesOf(named, definitions);
}

function isOpen({ additionalProperties }: JsonSchema): boolean {
  return additionalProperties !== undefined && additionalProperties !== false;
}
