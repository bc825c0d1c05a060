/** The fields of a shape, with those of nested shapes folded. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { nameOfShape, resolve } from "./api-document.ts";
import type { ApiDocument, Schema } from "./api-document.ts";
import { renderText } from "./markdown.ts";

interface FieldsOptions {
  /** Whether required fields are marked: in what is sent. */
  readonly isSent: boolean;
  /** Names of the shapes around this one, so that a recursive shape ends. */
  readonly around?: readonly string[];
}

export interface FieldRow {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
}

/** The fields of an object, or of the elements of an array; nothing for a scalar. */
export function shapeFields(document: ApiDocument, schema: Schema, options: FieldsOptions): Html | undefined {
  const objects = objectsOf(document, schema);
  const around = [...(options.around ?? []), ...objects.flatMap(({ name }) => name ?? [])];
  const lists = objects.map(({ schema: { properties = {}, required = [] } }) =>
    Object.entries(properties).map(([name, property]) =>
      fieldRow(
        document,
        {
          name,
          schema: property,
          isRequired: options.isSent && required.includes(name),
          description: property.description,
        },
        { ...options, around },
      ),
    ),
  );
  if (lists.length === 0) return undefined;
  return html`${lists.map((rows, place) => [place > 0 && html`<p class="note-text">or</p>`, ...rows])}`;
}

export function fieldRow(document: ApiDocument, row: FieldRow, options: FieldsOptions): Html {
  const { name, schema, isRequired, description } = row;
  const isRecursive = shapesIn(schema).some((shape) => options.around?.includes(shape));
  const nested = isRecursive ? undefined : shapeFields(document, schema, options);
  return html`<div class="param">
    <span class="line"
      ><code>${name}</code><span class="sub">${typeOf(schema)}</span>${
        isRequired && html`<span class="badge warn">required</span>`
      }</span
    >
    ${description !== undefined && renderText(description)}
    ${
      nested !== undefined &&
      html`<details>
        <summary>Fields of <code>${name}</code></summary>
        ${nested}
      </details>`
    }
  </div>`;
}

interface NamedObject {
  readonly name: string | undefined;
  readonly schema: Schema;
}

/** The objects that a value of this schema can be or contain. */
function objectsOf(document: ApiDocument, schema: Schema): NamedObject[] {
  const target: Schema = resolve(document, schema as Schema & { readonly $ref: string });
  if (target.properties !== undefined) return [{ name: nameOfShape(schema), schema: target }];
  if (target.items !== undefined) return objectsOf(document, target.items);
  return [...(target.anyOf ?? []), ...(target.oneOf ?? [])].flatMap((one) => objectsOf(document, one));
}

function shapesIn(schema: Schema): string[] {
  const own = nameOfShape(schema);
  const parts = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
  ];
  return [...(own === undefined ? [] : [own]), ...parts.flatMap(shapesIn)];
}

/** In words: `string or null`, `list of Tag`, `open | snoozed | closed`. */
export function typeOf(schema: Schema): string {
  const name = nameOfShape(schema);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(String).join(" | ");
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (choices.length > 0) return [...new Set(choices.map(typeOf))].join(" or ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["any"]);
  return types.map((type) => wordOf(type, schema)).join(" or ");
}

function wordOf(type: string, { format, items }: Schema): string {
  if (type === "array") return items === undefined ? "list" : `list of ${typeOf(items)}`;
  if (type !== "string" || format === undefined) return type;
  return format === "date-time" ? "timestamp" : format;
}
